/**
 * Answers by HTTP whether the operator works and whether it watches all that it should, and serves figures of its work.
 * It does so whether or not the operator acts at the moment.
 *
 * <p>{@code engine.probe} has a page for each endpoint, and a server that answers at exact paths, over
 * {@code engine.http}, so that slow clients keep nobody out.
 */
package dev.kopf4j.engine.probe;
