/**
 * Calls handlers, each in a task of its own; {@link dev.kopf4j.engine.handling.call.HandlerRunner} is the one place
 * that waits for their ends.
 *
 * <p>Beside it are the calls of all handlers whose progress is not stored on the object: those of raw events, index
 * functions, daemons and timers.
 */
package dev.kopf4j.engine.handling.call;
