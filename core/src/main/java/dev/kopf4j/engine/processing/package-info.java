/**
 * One cycle of one object: event handlers, cause, consistency, finalizer, daemons, change handlers, and one patch at
 * the end. {@code ProcessingCycle} has the order of the steps.
 *
 * <p>{@code ObjectMemory} is what the operator remembers of an object between cycles. It belongs to the object's
 * worker, of which {@code engine.queueing} sees to it that there is one at a time. An object with unexpected errors is
 * throttled and holds up nobody else.
 *
 * <p>More than twenty classes, since each step of a cycle is one, and they share the memory and nothing else.
 */
package dev.kopf4j.engine.processing;
