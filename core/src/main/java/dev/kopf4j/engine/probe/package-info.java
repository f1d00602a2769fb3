/**
 * Answers by HTTP whether the operator works and whether it watches all that it should, and serves figures of its work.
 * It does so whether or not the operator acts at the moment.
 */
package dev.kopf4j.engine.probe;
