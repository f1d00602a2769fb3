package dev.kopf4j.engine;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.ChangeHandling;
import dev.kopf4j.engine.handling.ContextFactory;
import dev.kopf4j.engine.handling.EventCalls;
import dev.kopf4j.engine.handling.HandlerRunner;
import dev.kopf4j.engine.handling.Services;
import dev.kopf4j.engine.reactor.ObjectApi;
import dev.kopf4j.engine.reactor.OwnPart;
import dev.kopf4j.engine.reactor.PatchSender;
import dev.kopf4j.engine.reactor.Preconditions;
import dev.kopf4j.engine.reactor.Processing;
import dev.kopf4j.persistence.AnnotationKeys;
import dev.kopf4j.persistence.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.AnnotationsProgressStorage;
import dev.kopf4j.persistence.DiffBaseStorage;
import dev.kopf4j.persistence.ProgressStorage;
import dev.kopf4j.persistence.SmartProgressStorage;
import dev.kopf4j.persistence.StatusProgressStorage;
import dev.kopf4j.runtime.Platform;
import java.util.List;

/** Makes the parts of the engine by the settings. */
final class EngineParts {
    private EngineParts() {}

    static Processing processing(Platform platform, OperatorSettings settings, ObjectApi api, Services services) {
        AnnotationKeys keys = new AnnotationKeys(settings.persistence().prefix(), true);
        DiffBaseStorage diffBase =
                new AnnotationsDiffBaseStorage(keys, AnnotationsDiffBaseStorage.DEFAULT_KEY, List.of());
        ProgressStorage progress =
                new SmartProgressStorage(new AnnotationsProgressStorage(keys), new StatusProgressStorage());
        Finalizer finalizer = new Finalizer(settings.persistence().finalizer());
        HandlerRunner runner = new HandlerRunner(platform, settings.execution());
        ContextFactory contexts = new ContextFactory(platform, services);
        CauseDetector detector = new CauseDetector(diffBase, progress, finalizer);
        return new Processing(
                settings,
                new ChangeHandling(detector, diffBase, progress, runner, contexts),
                new EventCalls(runner, contexts),
                finalizer,
                new PatchSender(api, Preconditions.SAME_OBJECT),
                new OwnPart(keys::owns));
    }
}
