/**
 * What a handler is given: for which object ({@link dev.kopf4j.engine.handling.context.ResourceObject}), on which
 * occasion ({@link dev.kopf4j.engine.handling.context.InvocationCause}), with which memo, services and indices; and the
 * context made of all that for one call.
 */
package dev.kopf4j.engine.handling.context;
