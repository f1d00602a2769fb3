package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;

/**
 * What one state of an object tells: what happened, and whom that concerns. Immutable. Whether the object has its
 * finalizer as it should is asked later, of {@link FinalizerDecision}: daemons may end meanwhile.
 *
 * @param object the object in that state
 * @param cause what happened
 * @param concernsHandlers true if any change handler could be interested; other objects are left without a trace
 */
record Situation(ResourceObject object, Cause cause, boolean concernsHandlers) {}
