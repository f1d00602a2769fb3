package dev.kopf4j.engine.console;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.Store;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.console.NotedObjects.Trouble;
import dev.kopf4j.engine.cycle.Outlooks;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import dev.kopf4j.engine.queueing.ObjectReport;
import dev.kopf4j.engine.queueing.ObjectReport.Activity;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How an operator is doing, as JSON. The engine is asked once a second at most, however many look. No values of objects
 * are among it, but messages of errors. Thread-safe.
 */
final class OperatorView {
    private static final int OBJECTS_MAX = 200;
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Platform platform;
    private final Instant started;
    private final List<String> scope;
    private final OperatorSettings settings;
    private final HandlerRegistry registry;
    private final IndexSet indices;
    private final RecentFigures figures;
    private final NotedObjects noted;
    private final Monitor monitor;
    private volatile RunningEngine engine = RunningEngine.STARTING;

    // Guarded by the monitor.
    private @Nullable Snapshot newest;

    /**
     * A view of an operator that has not begun to watch.
     *
     * @param scope the patterns of the namespaces; none for the whole cluster
     */
    OperatorView(
            Platform platform,
            List<String> scope,
            OperatorSettings settings,
            HandlerRegistry registry,
            IndexSet indices,
            RecentFigures figures,
            NotedObjects noted) {
        this.platform = platform;
        this.started = platform.now();
        this.scope = List.copyOf(scope);
        this.settings = settings;
        this.registry = registry;
        this.indices = indices;
        this.figures = figures;
        this.noted = noted;
        this.monitor = platform.monitor();
    }

    /** From now on, this one is asked. */
    void watch(RunningEngine running) {
        engine = running;
        monitor.locked(() -> {
            newest = null;
        });
    }

    /** What the engine has told at a moment. */
    private record Snapshot(
            Deadline freshUntil, OperatorState state, List<Known> objects, List<StreamReport> streams) {}

    /**
     * An object with all that is known at a glance.
     *
     * @param trouble of the handlers that have not succeeded, the one that has ended last; null for none
     */
    private record Known(
            Resource resource,
            ObjectReport report,
            @Nullable Trouble trouble,
            boolean paused) {
        ObjectReference reference() {
            return report.reference();
        }

        String state() {
            return paused
                    ? "paused"
                    : report.remembered().failed()
                            ? "failed"
                            : (trouble != null || report.remembered().childrenRefused())
                                            && report.activity() != Activity.THROTTLED
                                    ? report.activity() == Activity.RESTING ? "failed" : "retrying"
                                    : word(report.activity());
        }

        boolean isFailing() {
            return trouble != null
                    || report.remembered().failed()
                    || report.remembered().childrenRefused()
                    || report.activity() == Activity.THROTTLED;
        }

        /** The smaller, the more somebody wants to see it. */
        int rank() {
            int byActivity = switch (report.activity()) {
                case THROTTLED -> 0;
                case WORKING -> 3;
                case QUEUED -> 4;
                case BLOCKED -> 5;
                case WAITING -> 6;
                case RESTING -> 7;
            };
            return byActivity > 0 && isFailing() ? 1 : paused ? 2 : byActivity;
        }
    }

    /** The one who is to be shown first comes first: by rank, those that have waited long before others, by name. */
    private static final Comparator<Known> BY_INTEREST = Comparator.comparingInt(Known::rank)
            .thenComparingLong(each -> each.report().backlog().since() == 0
                    ? Long.MAX_VALUE
                    : each.report().backlog().since())
            .thenComparing(each -> each.report().next())
            .thenComparing(each -> Objects.requireNonNullElse(each.reference().namespace(), ""))
            .thenComparing(each -> Objects.requireNonNullElse(each.reference().name(), ""));

    private Snapshot snapshot() {
        return monitor.locked(() -> {
            Snapshot known = newest;
            if (known == null || known.freshUntil().hasPassed(platform)) {
                known = look();
                newest = known;
            }
            return known;
        });
    }

    private Snapshot look() {
        RunningEngine running = engine;
        List<StreamReport> streams = running.reports();
        List<Known> objects = new ArrayList<>();
        for (StreamReport stream : streams) {
            for (ObjectReport each : stream.objects()) {
                objects.add(new Known(stream.resource(), each, latest(each.uid()), noted.isPaused(each.uid())));
            }
        }
        return new Snapshot(platform.after(FRESH), running.state(), objects, streams);
    }

    private @Nullable Trouble latest(String uid) {
        Map<String, Trouble> all = noted.troubles(uid); // none for nearly all
        return all.isEmpty() ? null : NotedObjects.latest(all);
    }

    /**
     * All of it.
     *
     * @param query which objects are asked for: {@code q}, a part of the name or namespace; {@code kind}, the resource;
     *     {@code state}; all if nothing is said
     */
    ObjectNode snapshot(ConsoleQuery query) {
        Snapshot snapshot = snapshot();
        ObjectNode told = Json.object();
        told.put("at", KubernetesTimestamps.format(platform.now()));
        operator(snapshot.state(), told.putObject("operator"));
        streams(snapshot.streams(), told.putArray("streams"));
        kinds(snapshot, told.putArray("kinds"));
        objects(snapshot.objects(), query, told);
        figures.tell(told.putObject("figures"));
        figures.tellTotals(told.putArray("handlers"), told.putObject("requests"));
        indices(told.putArray("indices"));
        settings(told.putArray("settings"));
        return told;
    }

    /**
     * One object. That it is not known says that it is gone only if all that exist have been seen.
     *
     * @param query {@code uid} of the object
     */
    HttpReply object(ConsoleQuery query) throws InterruptedException {
        String uid = query.text("uid");
        Snapshot snapshot = snapshot();
        for (Known each : snapshot.objects()) {
            if (each.report().uid().equals(uid)) {
                ObjectNode told = Json.object();
                told.put("at", KubernetesTimestamps.format(platform.now()));
                operator(snapshot.state(), told.putObject("operator"));
                tell(each, told);
                ArrayNode troubles = told.putArray("troubles");
                noted.troubles(uid).values().stream()
                        .sorted(Comparator.comparing(Trouble::handler))
                        .forEach(trouble -> tell(trouble, troubles.addObject()));
                new ObjectView(engine, outlooks())
                        .tell(each.resource(), each.reference(), uid, noted.troubles(uid), platform.now(), told);
                return ConsoleServer.json(told);
            }
        }
        return hasSeenAll(snapshot.state())
                ? HttpReply.problem(404, "The operator does not know the object (any more).")
                : HttpReply.problem(503, "The operator has not seen all objects yet.");
    }

    /**
     * Streams begin when the operator does, when it begins to lead, and when somebody adds what they are for. What is
     * not listed because of a trouble may be listed soon: a page that hears 404 drops the history of its object.
     */
    private static boolean hasSeenAll(OperatorState state) {
        return (state.ready() || !state.pauses().isEmpty())
                && state.streams().stream().allMatch(stream -> stream.listed() || stream.paused());
    }

    /** Made anew each time: start-up handlers may have changed the settings. */
    private Outlooks outlooks() {
        return new Outlooks(settings, registry);
    }

    private void operator(OperatorState state, ObjectNode into) {
        into.put("version", TransportRequest.USER_AGENT);
        into.put("started", KubernetesTimestamps.format(started));
        // As the page of readiness and the metrics tell it; an operator that has begun may be in trouble.
        into.put("ready", state.isWell(settings.watching().inactivityTimeout())).put("begun", state.ready());
        scope.forEach(into.putArray("scope")::add);
        state.pauses().forEach(into.putArray("paused")::add);
        state.troubles().forEach(into.putArray("troubles")::add);
        figures.tellMissingRights(into.putArray("missingRights"));
        if (settings.leaderElection().enabled()) {
            into.put("leads", state.pauses().isEmpty());
        }
        OperatorState.Shards shards = state.shards();
        if (shards != null) {
            into.putObject("shards")
                    .put("served", shards.served())
                    .put("of", shards.count())
                    .put("numbers", shards.numbers());
        }
    }

    private static void streams(List<StreamReport> streams, ArrayNode into) {
        for (StreamReport each : streams) {
            StreamState state = each.state();
            ObjectNode told = into.addObject();
            told.put("resource", each.resource().toString()).put("namespace", each.namespace());
            told.put("listed", state.listed()).put("paused", state.paused()).put("trouble", state.trouble());
            told.put("silentMillis", state.silence().toMillis());
            told.put("objects", each.objects().size());
        }
    }

    private static void kinds(Snapshot snapshot, ArrayNode into) {
        Map<Resource, KindCounts> kinds = new HashMap<>();
        snapshot.streams()
                .forEach(each -> kinds.computeIfAbsent(
                        each.resource(), _ -> new KindCounts(each.resource().kind())));
        for (Known each : snapshot.objects()) {
            KindCounts counts = kinds.get(each.resource());
            if (counts != null) {
                counts.add(each);
            }
        }
        kinds.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getKey().toString()))
                .forEach(each -> each.getValue()
                        .tell(into.addObject().put("resource", each.getKey().toString())));
    }

    /** How many objects of a kind are doing what. Confined. */
    private static final class KindCounts {
        private final String kind;
        private final Map<Activity, Integer> activities = new EnumMap<>(Activity.class);
        private int failing;
        private int paused;
        private int all;

        KindCounts(String kind) {
            this.kind = kind;
        }

        void add(Known object) {
            all++;
            activities.merge(object.report().activity(), 1, Integer::sum);
            failing += object.isFailing() ? 1 : 0;
            paused += object.paused() ? 1 : 0;
        }

        void tell(ObjectNode into) {
            into.put("kind", kind).put("objects", all).put("failing", failing).put("paused", paused);
            for (Activity activity : Activity.values()) {
                into.put(word(activity), activities.getOrDefault(activity, 0));
            }
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private void objects(List<Known> all, ConsoleQuery query, ObjectNode into) {
        Wanted wanted = Wanted.of(query);
        PriorityQueue<Known> chosen = new PriorityQueue<>(BY_INTEREST.reversed());
        int matching = 0;
        for (Known each : all) {
            if (wanted.has(each)) {
                matching++;
                if (chosen.size() < OBJECTS_MAX) {
                    chosen.add(each);
                } else if (BY_INTEREST.compare(each, chosen.element()) < 0) {
                    chosen.remove();
                    chosen.add(each);
                }
            }
        }
        into.put("matching", matching).put("all", all.size()).put("troublesIncomplete", noted.isIncomplete());
        ArrayNode told = into.putArray("objects");
        chosen.stream().sorted(BY_INTEREST).forEach(each -> tell(each, told.addObject()));
    }

    /**
     * Which objects somebody wants to see. There may be many objects: nothing is made for one of them.
     *
     * @param text a part of the name or of the namespace; names of roles, too, may have capital letters; empty for all
     */
    private record Wanted(String text, String resource, String state) {
        static Wanted of(ConsoleQuery query) {
            return new Wanted(query.text("q"), query.text("kind"), query.text("state"));
        }

        boolean has(Known object) {
            return (text.isEmpty() || isNamed(object.reference()))
                    && (resource.isEmpty() || object.resource().toString().equals(resource))
                    && (state.isEmpty() || object.state().equals(state) || isCountedAs(object, state));
        }

        /** As the numbers above the objects have it: an object that fails or is paused has an activity, too. */
        private static boolean isCountedAs(Known object, String state) {
            Activity activity = object.report().activity();
            return switch (state) {
                case "failing" -> object.isFailing();
                case "queued" -> activity == Activity.QUEUED || activity == Activity.BLOCKED;
                default -> word(activity).equals(state);
            };
        }

        private boolean isNamed(ObjectReference reference) {
            String name = Objects.requireNonNullElse(reference.name(), "");
            String namespace = Objects.requireNonNullElse(reference.namespace(), "");
            return isPartOf(name) || isPartOf(namespace) || (text.indexOf('/') >= 0 && isPartOf(reference.toString()));
        }

        private boolean isPartOf(String name) {
            for (int at = 0; at <= name.length() - text.length(); at++) {
                if (name.regionMatches(true, at, text, 0, text.length())) {
                    return true;
                }
            }
            return false;
        }
    }

    private void tell(Known object, ObjectNode into) {
        ObjectReport report = object.report();
        into.put("uid", report.uid())
                .put("resource", object.resource().toString())
                .put("kind", object.resource().kind())
                .put("namespace", object.reference().namespace())
                .put("name", object.reference().name())
                .put("state", object.state())
                .put("activity", word(report.activity()));
        if (report.backlog().events() > 0) {
            into.put("events", report.backlog().events());
        }
        if (report.backlog().since() > 0) {
            into.put("waitedMillis", (platform.nanos() - report.backlog().since()) / 1_000_000);
        }
        if (!report.next().isNever()) {
            into.put(
                    "next",
                    KubernetesTimestamps.format(
                            platform.now().plus(report.next().remaining(platform))));
        }
        if (report.remembered().daemons()) {
            into.put("daemons", true);
        }
        Trouble trouble = object.trouble();
        if (trouble != null) {
            tell(trouble, into.putObject("trouble"));
        }
    }

    private static void tell(Trouble trouble, ObjectNode into) {
        into.put("handler", trouble.handler())
                .put("kind", word(trouble.kind()))
                .put("outcome", word(trouble.outcome()))
                .put("attempt", trouble.attempt())
                .put("message", trouble.message())
                .put("at", KubernetesTimestamps.format(trouble.at()));
    }

    private void indices(ArrayNode into) {
        indices.all().forEach((id, index) -> {
            long values = index.values().stream().mapToLong(Store::size).sum();
            into.addObject().put("id", id).put("keys", index.size()).put("values", values);
        });
    }

    /** Settings have no secrets: credentials come from elsewhere. */
    private void settings(ArrayNode into) {
        settings.values().stream()
                .filter(value -> !value.origin().equals("default"))
                .forEach(value -> into.addObject()
                        .put("name", value.setting().name())
                        .put("value", value.text())
                        .put("origin", value.origin()));
    }
}
