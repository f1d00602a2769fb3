package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorMetrics;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.daemon.Daemons;
import dev.kopf4j.engine.handling.call.BackgroundCalls;
import dev.kopf4j.engine.handling.call.EventCalls;
import dev.kopf4j.engine.handling.call.IndexCalls;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.object.LogListener;

/**
 * What processing needs, whichever the resource. Immutable, thread-safe.
 *
 * @param settings how the operator works
 * @param changes handles changes
 * @param events handles raw events
 * @param indexing calls index functions
 * @param indices the indices that they fill
 * @param memos makes the objects' memos
 * @param background chooses daemons and timers
 * @param daemons runs them
 * @param finalizer the operator's finalizer
 * @param sender sends patches
 * @param ownPart tells what of a patch is the framework's
 * @param posting where the framework posts events about objects
 * @param logs hears what is logged about objects
 * @param metrics hears what can be measured
 */
public record Processing(
        OperatorSettings settings,
        ChangeHandling changes,
        EventCalls events,
        IndexCalls indexing,
        IndexSet indices,
        Memos memos,
        BackgroundCalls background,
        Daemons daemons,
        Finalizer finalizer,
        PatchSender sender,
        OwnPart ownPart,
        EventSink posting,
        LogListener logs,
        OperatorMetrics metrics) {}
