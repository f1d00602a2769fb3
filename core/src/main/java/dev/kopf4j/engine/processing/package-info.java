/**
 * One cycle of one object: event handlers, cause, consistency, finalizer, daemons, change handlers, and one patch at
 * the end. {@code ProcessingCycle} has the order of the steps.
 *
 * <p>{@code ObjectMemory} is what the operator remembers of an object between cycles. It belongs to the object's
 * worker; {@code engine.queueing} makes sure that there is one at a time. An object with unexpected errors is throttled
 * and holds up nobody else.
 *
 * <p>The package has more than twenty classes because each step of a cycle is a class. They all work on the object's
 * memory, which nobody else may change; another package would have to open it.
 */
package dev.kopf4j.engine.processing;
