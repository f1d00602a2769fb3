/**
 * One call of a handler: which handlers, with what, within which limits, and what its end means.
 *
 * <p>{@code HandlerSelection} asks the filters, and chooses among the handlers that are due. A {@code HandlerAttempt}
 * checks the limits, calls, decides, logs that, and says how far the handler has come; handlers of objects are called
 * by it, whatever their kind. {@code HandlerRunner} makes the call in a task of its own, so that an interrupt hits the
 * user's code and never a request, and waits for its end, its timeout, and what is to be done meanwhile
 * ({@code WorkDuringCall}).
 *
 * <p>What handlers are given is a {@code HandlerContext} of the object ({@code ResourceObject}) and of why they are
 * called ({@code InvocationCause}). What the end of a call means is decided by {@code RetryPolicy}, a pure table; how
 * far the handlers of an object have come, by {@code ProgressState}: it calls nobody and never waits.
 */
package dev.kopf4j.engine.call;
