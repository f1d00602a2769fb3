/**
 * Decides what the end of a call means by limits and errors mode, puts results into the status, and keeps how far the
 * handlers of an object have come.
 *
 * <p>No handler is called here and nobody waits: the decisions are pure and tested as tables. Only
 * {@code HandlerResult} meets the user's code, as it reads what handlers have returned.
 */
package dev.kopf4j.engine.handling.progress;
