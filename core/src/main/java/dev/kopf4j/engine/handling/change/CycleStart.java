package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;

/**
 * What a cycle begins with, be it a real one, or one that would follow by itself. Immutable.
 *
 * @param object the object as the cycle finds it
 * @param cause what happened to it
 * @param selected the handlers that are concerned, whether they have ended or not
 * @param changes how often the change has become another one since the first of these cycles
 */
record CycleStart(
        ResourceObject object, InvocationCause.Changing cause, List<RegisteredHandler> selected, int changes) {}
