package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.ResourceObject;

/**
 * What happened to an object, as one of its states tells.
 *
 * @param state the object in that state
 * @param cause what happened
 * @param concerned true if any change handler could be interested; other objects are left without a trace
 */
record ObjectAssessment(ResourceObject state, Cause cause, boolean concerned) {}
