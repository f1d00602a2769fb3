/**
 * Makes one call of a handler at a time: in a task of its own, so that an interrupt hits the user's code and never a
 * request; with limits, a timeout, and a grace for code that ignores it. Handlers that leave no progress on the object
 * (raw events, index functions, daemons, timers) are called from here; those of changes by {@code engine.cycle}.
 */
package dev.kopf4j.engine.handling.invocation;
