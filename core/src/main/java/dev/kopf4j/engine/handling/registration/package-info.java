/**
 * Handlers and activities as the engine knows them once they are registered: immutable, found by resource, and refused
 * if their declarations make no sense.
 *
 * <p>Where declarations come from, annotations or lambdas, is the business of {@code engine.registry}.
 */
package dev.kopf4j.engine.handling.registration;
