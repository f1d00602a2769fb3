/**
 * Makes what a handler is given for one call: the object ({@link dev.kopf4j.engine.handling.context.ResourceObject}),
 * the reason for the call ({@link dev.kopf4j.engine.handling.context.InvocationCause}), memo, services, indices, and
 * the context that has all of them.
 */
package dev.kopf4j.engine.handling.context;
