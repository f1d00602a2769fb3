package dev.kopf4j.engine.processing;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.children.ChildrenEnvironment;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.invocation.DaemonCalls;
import dev.kopf4j.engine.handling.invocation.EventHandlerCalls;
import dev.kopf4j.engine.handling.invocation.IndexFunctionCalls;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.patching.FrameworkPatch;
import dev.kopf4j.engine.patching.PatchSender;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.object.ObjectLogListener;

/**
 * What the processing of all resources needs. Immutable, thread-safe.
 *
 * @param settings how the operator works
 * @param changes handles changes
 * @param events handles raw events
 * @param indexFunctions calls index functions
 * @param indices the indices that they fill
 * @param operatorMemos makes the objects' memos
 * @param daemonCalls chooses daemons and timers
 * @param operatorDaemons runs them
 * @param children handles children
 * @param finalizer the operator's finalizer
 * @param sender sends patches
 * @param frameworkPatch tells what of a patch is the framework's
 * @param posting where the framework posts events about objects
 * @param logs hears what is logged about objects
 * @param metrics hears what can be measured
 * @param trace hears of each step
 */
public record ProcessingEnvironment(
        OperatorSettings settings,
        ChangeHandling changes,
        EventHandlerCalls events,
        IndexFunctionCalls indexFunctions,
        IndexSet indices,
        OperatorMemos operatorMemos,
        DaemonCalls daemonCalls,
        OperatorDaemons operatorDaemons,
        ChildrenEnvironment children,
        Finalizer finalizer,
        PatchSender sender,
        FrameworkPatch frameworkPatch,
        EventSink posting,
        ObjectLogListener logs,
        MetricsListener metrics,
        OperatorTrace trace) {}
