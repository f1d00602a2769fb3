/**
 * Handles the changes of an object in cycles: handlers and their sub-handlers are called until all have come to their
 * ends, their progress is stored on the object, and those that have not seen its newest state are called again.
 *
 * <p>{@link dev.kopf4j.engine.handling.change.ChangeCycle} is the table of contents of one cycle.
 */
package dev.kopf4j.engine.handling.change;
