package dev.kopf4j.engine;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.children.ChildrenApi;
import dev.kopf4j.engine.children.ChildrenEnvironment;
import dev.kopf4j.engine.children.LiveChildren;
import dev.kopf4j.engine.children.live.ChildIndex;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ServiceProvider;
import dev.kopf4j.engine.handling.invocation.DaemonCalls;
import dev.kopf4j.engine.handling.invocation.EventHandlerCalls;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.engine.handling.invocation.IndexFunctionCalls;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.handling.rerun.LastHandledState;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.patching.FrameworkPatch;
import dev.kopf4j.engine.patching.PatchApi;
import dev.kopf4j.engine.patching.PatchPreconditions;
import dev.kopf4j.engine.patching.PatchSender;
import dev.kopf4j.engine.posting.LogPosting;
import dev.kopf4j.engine.processing.DaemonPatchSender;
import dev.kopf4j.engine.processing.ErrorDelays;
import dev.kopf4j.engine.processing.ProcessingEnvironment;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.persistence.StorageLocations;
import dev.kopf4j.persistence.diffbase.DiffBaseStorage;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.runtime.Platform;

/** Makes the parts of the engine by the settings. */
public final class ProcessingFactory {
    private ProcessingFactory() {}

    public static ProcessingEnvironment processing(
            Platform platform,
            OperatorSettings settings,
            HandlerRegistry registry,
            PatchApi api,
            ChildrenApi childrenApi,
            LeadershipFence fence,
            ServiceProvider serviceProvider,
            IndexSet indices,
            OperatorMemos operatorMemos,
            EventSink events,
            MetricsListener metrics,
            OperatorTrace trace) {
        OperatorSettings.Persistence persistence = settings.persistence();
        DiffBaseStorage diffBase = StorageFactory.diffBase(persistence.diffBaseStorage(), persistence.prefix());
        ProgressStorage progress = StorageFactory.progress(persistence.progressStorage(), persistence.prefix());
        Finalizer finalizer = new Finalizer(persistence.finalizer());
        HandlerRunner unfenced = new HandlerRunner(platform, settings.execution(), metrics, trace);
        HandlerRunner runner = unfenced.fenced(fence);
        ChildIndex children = new ChildIndex(platform);
        ContextFactory contexts = new ContextFactory(
                platform, serviceProvider, indices, new LiveChildren(children, registry), progress::fetch);
        CauseDetector detector = new CauseDetector(diffBase, progress, finalizer);
        DaemonCalls background = new DaemonCalls(runner, contexts);
        boolean leads = settings.leaderElection().enabled();
        PatchPreconditions patchPreconditions =
                leads ? PatchPreconditions.SAME_VERSION : PatchPreconditions.SAME_OBJECT;
        PatchSender sender = new PatchSender(api, patchPreconditions);
        return new ProcessingEnvironment(
                settings,
                new ChangeHandling(
                        settings.execution(), detector, new LastHandledState(diffBase), progress, runner, contexts),
                new EventHandlerCalls(runner, contexts),
                // Index functions change nothing in the cluster, so they are called whether this replica leads or not.
                new IndexFunctionCalls(unfenced, contexts),
                indices,
                operatorMemos,
                background,
                daemons(platform, settings, background, sender),
                new ChildrenEnvironment(
                        children,
                        childrenApi,
                        runner,
                        contexts,
                        events,
                        settings.children().fieldManager(),
                        settings.execution().defaultBackoff()),
                finalizer,
                sender,
                new FrameworkPatch(StorageLocations.of(
                        persistence.progressStorage(), persistence.diffBaseStorage(), persistence.prefix())),
                events,
                new LogPosting(settings.posting(), events),
                metrics,
                trace);
    }

    private static OperatorDaemons daemons(
            Platform platform, OperatorSettings settings, DaemonCalls calls, PatchSender sender) {
        ErrorDelays delays = new ErrorDelays(settings.queueing().errorDelays());
        return new OperatorDaemons(
                platform, settings.background(), calls, new DaemonPatchSender(sender), delays::ofConflict);
    }
}
