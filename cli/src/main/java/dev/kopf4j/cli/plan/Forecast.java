package dev.kopf4j.cli.plan;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.cycle.HandlerOutlook;
import dev.kopf4j.engine.cycle.HandlerOutlook.Occasion;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.Outlooks;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook.FinalizerOutlook;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.persistence.StorageLocations;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a version of an operator would do for an object if it started now, in short. Immutable.
 *
 * @param reason what has happened to the object since it was handled
 * @param finalizer what would be done about the operator's finalizer
 * @param undoables the steps that the object remembers, to be taken back when it is deleted
 * @param handlers what its handlers would do
 * @param strangers handlers that it does not have, and whose progress is recorded on the object
 */
record Forecast(
        Reason reason,
        FinalizerOutlook finalizer,
        List<String> undoables,
        List<OfHandler> handlers,
        List<String> strangers) {
    private static final int DIFFERENCES_MAX = 3;

    Forecast {
        handlers = List.copyOf(handlers);
        strangers = List.copyOf(strangers);
    }

    /** Whether a handler would be called. */
    enum Call {
        /** For what has happened to the object. */
        NOW,
        /** As at each start of the operator. */
        START,
        /** That depends on what cannot be known without calling anything. */
        MAYBE,
        /** At its time: it has failed before, and is tried again. */
        LATER,
        /** No, and never again for this change: its limits are reached. */
        GIVEN_UP,
        /** No. */
        NONE
    }

    /**
     * What a handler would do.
     *
     * @param id its id
     * @param kind what it is called for
     * @param call whether it would be called
     * @param why why, or why not, in words
     */
    record OfHandler(String id, HandlerKind kind, Call call, String why) {}

    /**
     * What a version would do for all objects.
     *
     * @param survey a look at the copy of the cluster
     * @param others the ids of handlers of another version
     * @throws OperatorException if the copy refuses what is asked
     */
    static Map<Place, Forecast> of(ClusterSurvey survey, Instant now, Set<String> others) throws InterruptedException {
        Outlooks outlooks = new Outlooks(survey.settings(), survey.registry());
        Outlooks.Circumstances start = Outlooks.Circumstances.start(now);
        Records records = Records.of(survey, others);
        return survey.look(found -> {
            Map<Place, Forecast> forecasts = new TreeMap<>();
            Shared shared = new Shared(records, now);
            for (PlannedStream stream : survey.watchPlan().streams(found.served(), found.namespaces())) {
                if (!stream.handlers().isEmpty()) {
                    found.api()
                            .list(
                                    stream.resource(),
                                    stream.namespace(),
                                    survey.settings().watching().pageSize(),
                                    body -> forecasts.merge(
                                            Place.of(stream.resource(), body),
                                            shared.of(outlooks.of(stream.resource(), body, start), body, stream),
                                            Forecast::and));
                }
            }
            return forecasts;
        });
    }

    /** Of the same object in another API version. */
    private Forecast and(Forecast other) {
        List<OfHandler> both = new ArrayList<>(handlers);
        other.handlers.stream().filter(each -> !both.contains(each)).forEach(both::add);
        return new Forecast(reason, finalizer, undoables, both, strangers);
    }

    /** Makes forecasts, and keeps equal parts of many once. Confined. */
    private static final class Shared {
        private final Map<OfHandler, OfHandler> known = new HashMap<>();
        private final Records records;
        private final Instant now;

        Shared(Records records, Instant now) {
            this.records = records;
            this.now = now;
        }

        Forecast of(ObjectOutlook outlook, ObjectNode body, PlannedStream stream) {
            boolean shows = !LoggedContent.isSecret(stream.resource());
            return new Forecast(
                    outlook.reason(),
                    outlook.finalizer(),
                    outlook.undoables(),
                    outlook.handlers().stream()
                            .map(each -> shared(of(each, shows)))
                            .toList(),
                    records.on(body));
        }

        private OfHandler shared(OfHandler made) {
            OfHandler before = known.putIfAbsent(made, made);
            return before == null ? made : before;
        }

        private OfHandler of(HandlerOutlook outlook, boolean shows) {
            return new OfHandler(
                    outlook.id(), outlook.kind(), call(outlook.verdict(), now), why(outlook.verdict(), shows, now));
        }
    }

    /**
     * The records of handlers that a version does not have.
     *
     * @param prefixes the prefixes of annotations in use
     * @param ids the ids of the handlers
     */
    private record Records(Set<String> prefixes, Set<String> ids) {
        static Records of(ClusterSurvey survey, Set<String> others) {
            OperatorSettings.Persistence settings = survey.settings().persistence();
            Set<String> strange = new TreeSet<>(others);
            survey.registry().handlers().forEach(handler -> strange.remove(handler.id()));
            return new Records(
                    StorageLocations.of(settings.progressStorage(), settings.diffBaseStorage(), settings.prefix())
                            .prefixes(),
                    strange);
        }

        List<String> on(ObjectNode body) {
            JsonNode annotations = body.path("metadata").path("annotations");
            return ids.stream()
                    .filter(id -> prefixes.stream()
                            .flatMap(prefix -> new AnnotationKeys(prefix).keys(id, body).stream())
                            .anyMatch(annotations::has))
                    .toList();
        }
    }

    private static Call call(Verdict verdict, Instant now) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun run -> run.occasion() == Occasion.START ? Call.START : Call.NOW;
            case HandlerOutlook.Depends _ -> Call.MAYBE;
            case HandlerOutlook.Waits waits -> waits.endsWhenAsked(now) ? Call.NONE : Call.LATER;
            case HandlerOutlook.GivenUp _ -> Call.GIVEN_UP;
            default -> Call.NONE;
        };
    }

    private static String why(Verdict verdict, boolean shows, Instant now) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun run -> why(run, shows);
            case HandlerOutlook.Depends depends -> "depends on " + depends.on();
            case HandlerOutlook.Waits waits ->
                waits.endsWhenAsked(now)
                        ? "has stopped until somebody asks (kopf4j retry)"
                                + (waits.message() == null || waits.message().isEmpty() ? "" : ": " + waits.message())
                        : "attempt " + waits.attempt() + " at " + KubernetesTimestamps.format(waits.until());
            case HandlerOutlook.Done _ -> "has succeeded with this change";
            case HandlerOutlook.Failed failed -> "has failed for good: " + failed.message();
            case HandlerOutlook.GivenUp given -> "at " + KubernetesTimestamps.format(given.due()) + ": " + given.why();
            case HandlerOutlook.WrongCause wrong -> wrong.why();
            case HandlerOutlook.Mismatch mismatch -> mismatch.mismatch().describe(shows);
            case HandlerOutlook.Paused _ -> "somebody has paused the object";
            case HandlerOutlook.NotWatched not -> not.scope();
            case HandlerOutlook.RightMissing missing -> "a right is missing: " + missing.right();
            case HandlerOutlook.DeletionHeld held -> "finalizers of others hold the deletion: " + held.others();
            case HandlerOutlook.Refused refused -> refused.why();
        };
    }

    private static String why(HandlerOutlook.WouldRun run, boolean shows) {
        String reason =
                run.reason() == Reason.NOOP ? "each start" : run.reason().name().toLowerCase(Locale.ROOT);
        if (run.reason() != Reason.UPDATE || run.diff().isEmpty()) {
            return reason;
        }
        List<JsonDiff.Item> items = run.diff().items();
        String shown = items.stream()
                .limit(DIFFERENCES_MAX)
                .map(item -> Differences.text(item, shows))
                .collect(Collectors.joining(", "));
        return reason + ": " + shown + (items.size() > DIFFERENCES_MAX ? ", ..." : "");
    }
}
