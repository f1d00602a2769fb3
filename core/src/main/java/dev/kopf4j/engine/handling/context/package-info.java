/**
 * What a handler is given: for which object ({@link dev.kopf4j.engine.handling.context.Subject}), on which occasion
 * ({@link dev.kopf4j.engine.handling.context.Occasion}), with which memo, services and indices; and the context made of
 * all that for one call.
 */
package dev.kopf4j.engine.handling.context;
