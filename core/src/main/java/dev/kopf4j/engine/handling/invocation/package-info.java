/**
 * Makes one call of a handler at a time: in a task of its own, so that an interrupt hits the user's code and never a
 * request; with limits, a timeout, and a grace for code that ignores it. Handlers that leave no progress on the object
 * (raw events, index functions, daemons, timers) are called from here; those of changes by {@code engine.cycle}.
 *
 * <p>{@code engine.handling} is a stack of rooms, too; {@code context} and {@code progress} do not know each other.
 * {@code registry} has the handlers and activities as the engine knows them, immutable. {@code context} has what
 * handlers are called with: the object ({@code ResourceObject}), why they are called ({@code InvocationCause}), memos,
 * services, indices. {@code progress} judges the end of a call ({@code RetryPolicy}, a table) and tells how far the
 * handlers of an object have come ({@code ProgressState}); it calls nobody and never waits. {@code selection} asks the
 * filters, and lets the lifecycle choose among the due handlers. {@code invocation} makes the calls, each in a task of
 * its own, so that an interrupt hits the user's code and never a request.
 */
package dev.kopf4j.engine.handling.invocation;
