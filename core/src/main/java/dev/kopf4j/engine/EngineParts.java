package dev.kopf4j.engine;

import dev.kopf4j.OperatorMetrics;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.call.BackgroundCalls;
import dev.kopf4j.engine.handling.call.EventCalls;
import dev.kopf4j.engine.handling.call.HandlerRunner;
import dev.kopf4j.engine.handling.call.IndexCalls;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.handling.context.Services;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.posting.PostedLogs;
import dev.kopf4j.engine.reactor.DaemonPatches;
import dev.kopf4j.engine.reactor.ObjectApi;
import dev.kopf4j.engine.reactor.OwnPart;
import dev.kopf4j.engine.reactor.PatchSender;
import dev.kopf4j.engine.reactor.Preconditions;
import dev.kopf4j.engine.reactor.Processing;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.persistence.DiffBaseStorage;
import dev.kopf4j.persistence.OwnPlaces;
import dev.kopf4j.persistence.ProgressStorage;
import dev.kopf4j.persistence.Storages;
import dev.kopf4j.runtime.Platform;

/** Makes the parts of the engine by the settings. */
final class EngineParts {
    private EngineParts() {}

    static Processing processing(
            Platform platform,
            OperatorSettings settings,
            ObjectApi api,
            Services services,
            IndexSet indices,
            Memos memos,
            EventSink events,
            OperatorMetrics metrics) {
        OperatorSettings.Persistence persistence = settings.persistence();
        DiffBaseStorage diffBase = Storages.diffBase(persistence.diffBaseStorage(), persistence.prefix());
        ProgressStorage progress = Storages.progress(persistence.progressStorage(), persistence.prefix());
        Finalizer finalizer = new Finalizer(persistence.finalizer());
        HandlerRunner runner = new HandlerRunner(platform, settings.execution(), metrics);
        ContextFactory contexts = new ContextFactory(platform, services, indices);
        CauseDetector detector = new CauseDetector(diffBase, progress, finalizer);
        BackgroundCalls background = new BackgroundCalls(runner, contexts);
        boolean leads = settings.leaderElection().enabled();
        Preconditions preconditions = leads ? Preconditions.SAME_VERSION : Preconditions.SAME_OBJECT;
        PatchSender sender = new PatchSender(api, preconditions);
        return new Processing(
                settings,
                new ChangeHandling(detector, diffBase, progress, runner, contexts),
                new EventCalls(runner, contexts),
                new IndexCalls(runner, contexts),
                indices,
                memos,
                background,
                DaemonPatches.daemons(platform, settings, background, sender),
                finalizer,
                sender,
                new OwnPart(OwnPlaces.of(
                        persistence.progressStorage(), persistence.diffBaseStorage(), persistence.prefix())),
                events,
                new PostedLogs(settings.posting(), events),
                metrics);
    }
}
