package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.ChangeHandling;
import dev.kopf4j.engine.handling.EventCalls;

/**
 * What processing needs, whichever the resource. Immutable, thread-safe.
 *
 * @param settings how the operator works
 * @param changes handles changes
 * @param events handles raw events
 * @param finalizer the operator's finalizer
 * @param sender sends patches
 * @param ownPart tells what of a patch is the framework's
 */
public record Processing(
        OperatorSettings settings,
        ChangeHandling changes,
        EventCalls events,
        Finalizer finalizer,
        PatchSender sender,
        OwnPart ownPart) {}
