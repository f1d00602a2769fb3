/**
 * What people ask of an object by annotations: that it is paused, and that handlers are called again.
 *
 * <p>{@code Interventions} reads the annotations {@code paused} and {@code retry} and acknowledges them on the object;
 * {@code FailedHandlers} is what the object remembers of handlers that have failed for good, as their progress goes
 * when a change is handled. All is pure. {@code engine.cycle} obeys: its {@code ObjectCycle} leaves a paused object
 * alone, and its {@code RequestedRetry} changes what is stored so that the next cycle calls the handlers in the
 * ordinary way.
 */
package dev.kopf4j.engine.intervention;
