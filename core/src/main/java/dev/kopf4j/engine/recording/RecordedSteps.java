package dev.kopf4j.engine.recording;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.tracing.FailureText;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorStep.Stage;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a line of JSON of each step: says what of a step is recorded. Names, reasons, paths of fields and how long
 * things took; values of objects and bodies of requests only if that is wanted, and those of Secrets never. What is not
 * worth a line is left out. The lines are described in {@code docs/history.md}. Not thread-safe but for
 * {@link #details}.
 */
public final class RecordedSteps {
    private static final int PATHS_MAX = 16;
    private static final int VALUES_MAX = 4000;
    private static final long WORTH_TELLING = 1_000_000;
    private static final int RESOURCES_MAX = 1000;

    /** Namespaces come and go, each with its streams. Beyond it all are forgotten: a state may be told twice. */
    private static final int STREAMS_MAX = 1000;

    private final Platform platform;
    private final JsonLine line = new JsonLine();
    private final Map<Resource, String> names = new HashMap<>();
    private final Map<String, OperatorStep.StreamChanged> streams = new HashMap<>();
    private volatile boolean values;
    private long second = Long.MIN_VALUE;
    private String upToSecond = "";

    /**
     * Lines with the time of that machine.
     *
     * @param values true to record values and bodies, too
     */
    public RecordedSteps(Platform platform, boolean values) {
        this.platform = platform;
        this.values = values;
    }

    /** From now on values are recorded, or are not. */
    void values(boolean recorded) {
        values = recorded;
    }

    /** The last line, which ends with a line feed: the first bytes of an array that is used again. */
    byte[] bytes() {
        return line.bytes();
    }

    /** How many bytes the last line has. */
    int length() {
        return line.length();
    }

    /** The last line without its line feed. */
    String text() {
        return new String(line.bytes(), 0, line.length() - 1, java.nio.charset.StandardCharsets.US_ASCII);
    }

    /**
     * What a step needs that has begun before it. Immutable.
     *
     * @param began the begin of the cycle that the thread is in
     * @param at when that was, by the monotonic clock
     * @param untold the steps up to now, if they have led to nothing so far: they are recorded if another one follows
     */
    record Cycle(OperatorStep.CycleBegan began, long at, List<OperatorStep> untold) {
        static Cycle of(OperatorStep.CycleBegan began, long at) {
            return new Cycle(began, at, began.type() == WatchEventType.LISTED ? List.of(listed(began)) : List.of());
        }

        private static OperatorStep listed(OperatorStep.CycleBegan began) {
            return new OperatorStep.EventCame(
                    began.resource(), began.object(), WatchEventType.LISTED, began.version(), true);
        }

        /** True if what has happened so far is recorded. */
        boolean isTold() {
            return untold.isEmpty();
        }

        /** The same cycle when what has happened so far is recorded. */
        Cycle told() {
            return new Cycle(began, at, List.of());
        }

        /** The same cycle when it has decided to do nothing. */
        Cycle idle(OperatorStep.CycleDecided decided) {
            List<OperatorStep> steps = new ArrayList<>(untold);
            steps.add(decided);
            return new Cycle(began, at, List.copyOf(steps));
        }
    }

    /**
     * What is worked out of a step before it becomes a line. Immutable.
     *
     * @param paths the fields that it is about
     * @param failure the text of its failure
     * @param value what is shown of values, if they are recorded
     */
    record Details(
            List<String> paths,
            @Nullable String failure,
            @Nullable String value) {
        static final Details NONE = new Details(List.of(), null, null);

        private static Details failure(@Nullable String failure) {
            return failure == null ? NONE : new Details(List.of(), failure, null);
        }
    }

    /**
     * Works out of a step what takes longer, or asks code of other people, as the message of an exception does: nobody
     * else may have to wait for it. May be called by many threads at a time.
     */
    Details details(OperatorStep step) {
        return switch (step) {
            case OperatorStep.RequestEnded ended -> new Details(patched(ended.request()), null, body(ended));
            case OperatorStep.CycleDecided decided -> new Details(changed(decided.changed()), null, diff(decided));
            case OperatorStep.CycleFailed failed ->
                Details.failure(failure(failed.failure(), LoggedContent.isSecret(failed.resource())));
            case OperatorStep.CallEnded ended -> {
                boolean secret = LoggedContent.isSecret(ended.kind(), ended.context());
                JsonNode result = values && !secret ? ended.result() : null;
                yield result == null
                        ? Details.failure(failure(ended.failure(), secret))
                        : new Details(List.of(), failure(ended.failure(), secret), result.toString());
            }
            default -> Details.NONE;
        };
    }

    private static List<String> patched(TransportRequest request) {
        return request.method().equals("PATCH") ? PatchedPaths.of(request, PATHS_MAX) : List.of();
    }

    private static List<String> changed(JsonDiff diff) {
        if (diff.isEmpty()) {
            return List.of();
        }
        List<String> paths = new ArrayList<>();
        for (JsonDiff.Item item : diff.items()) {
            if (paths.size() == PATHS_MAX) {
                paths.add("...");
                break;
            }
            if (!item.field().keys().isEmpty()) {
                paths.add(item.field().toString());
            }
        }
        return paths;
    }

    /**
     * Makes the line of a step; false if it has none.
     *
     * @param number which line it is
     * @param cycle the cycle that the thread is in; null for none
     * @param details see {@link #details}
     */
    boolean write(long number, OperatorStep step, @Nullable Cycle cycle, Details details) {
        switch (step) {
            case OperatorStep.OperatorTurned(Stage stage, String detail) ->
                begin(number, "operator").text("stage", word(stage)).text("detail", detail);
            case OperatorStep.PauseChanged(String namespace, String reason, boolean holds) ->
                begin(number, "pause")
                        .text("namespace", namespace)
                        .text("reason", reason)
                        .flag("holds", holds);
            case OperatorStep.ShardsServed(String numbers, int count) ->
                begin(number, "shards").text("numbers", numbers).number("count", count);
            case OperatorStep.LoggedIn(int credentials, Throwable failure) ->
                begin(number, "login")
                        .number("credentials", credentials)
                        .text(
                                "failure",
                                failure == null ? null : failure.getClass().getSimpleName());
            case OperatorStep.StreamBegan began ->
                begin(number, "stream")
                        .text("stream", name(began.resource()))
                        .text("namespace", began.namespace())
                        .text("selector", began.labelSelector())
                        .text("state", "begins");
            case OperatorStep.StreamChanged changed -> {
                if (streams.size() >= STREAMS_MAX && !streams.containsKey(changed.stream())) {
                    streams.clear();
                }
                if (changed.equals(streams.put(changed.stream(), changed))) {
                    return false;
                }
                begin(number, "stream")
                        .text("stream", changed.stream())
                        .text("state", changed.paused() ? "paused" : changed.listed() ? "listed" : "not listed")
                        .text("trouble", changed.trouble());
            }
            case OperatorStep.OfObject ofObject -> {
                return object(number, ofObject, cycle, details);
            }
            case OperatorStep.CallBegan(var kind, HandlerContext context) -> {
                call(number, "call", context);
                line.text("type", word(kind)).text("reason", word(context.reason()));
            }
            case OperatorStep.CallEnded ended -> {
                call(number, "call-ended", ended.context());
                line.text("outcome", ended.outcome() == null ? "interrupted" : word(ended.outcome()))
                        .millis("took", ended.took().toNanos())
                        .text("failure", details.failure())
                        .text("result", details.value(), VALUES_MAX);
            }
            case OperatorStep.RequestEnded ended -> request(number, ended, cycle, details);
        }
        line.end();
        return true;
    }

    /** See {@link Recorder#note}. */
    void note(long number, String kind, String text) {
        begin(number, kind).text("text", text, VALUES_MAX);
        line.end();
    }

    /** The line that says that so many lines are missing here. */
    void lost(long number, long count) {
        begin(number, "lost").number("count", count);
        line.end();
    }

    /** The line at the end of an answer: which one would come next, and of which kinds there were objects. */
    void position(long next, Iterable<String> kinds) {
        begin(next, "position").texts("kinds", kinds);
        line.end();
    }

    private JsonLine begin(long number, String step) {
        Instant now = platform.now();
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            String text = now.truncatedTo(ChronoUnit.SECONDS).toString();
            upToSecond = text.substring(0, text.length() - 1);
        }
        return line.begin()
                .number("n", number)
                .time("at", upToSecond, now.getNano() / 1_000_000)
                .text("step", step);
    }

    private JsonLine begin(long number, String step, Resource resource, ObjectReference object) {
        return begin(number, step)
                .text("resource", name(resource))
                .text("kind", resource.kind())
                .text("object", object.toString())
                .text("uid", object.uid());
    }

    private void call(long number, String step, HandlerContext context) {
        String namespace = context.namespace().orElse("");
        begin(number, step)
                .text("resource", name(context.resource()))
                .text("kind", context.resource().kind())
                .text("object", namespace.isEmpty() ? context.name() : namespace + "/" + context.name())
                .text("uid", context.uid())
                .text("handler", context.handlerId())
                .number("attempt", context.retry() + 1L);
    }

    /** True if the step has a line of its own; a state of a stream that was told before has none, either. */
    static boolean hasLine(OperatorStep step) {
        return !(step instanceof OperatorStep.OfObject ofObject)
                || !word(ofObject).isEmpty();
    }

    private static String word(OperatorStep.OfObject step) {
        return switch (step) {
            case OperatorStep.EventCame _ -> "event";
            case OperatorStep.WokenUp _ -> "woken";
            case OperatorStep.CycleDecided _ -> "cycle";
            case OperatorStep.CycleFailed _ -> "cycle-failed";
            case OperatorStep.CycleEnded _ -> "cycle-ended";
            case OperatorStep.ObjectUnreadable _ -> "unreadable";
            case OperatorStep.HandlingPaused _ -> "handling";
            case OperatorStep.ChildrenCompared compared
            when !compared.troubles().isEmpty() -> "children";
            case OperatorStep.CycleBegan _,
                    OperatorStep.ChildrenCompared _,
                    OperatorStep.WorkDropped _,
                    OperatorStep.WorkerLeft _ -> "";
        };
    }

    private boolean object(long number, OperatorStep.OfObject step, @Nullable Cycle cycle, Details details) {
        String word = word(step);
        if (word.isEmpty()) {
            return false;
        }
        begin(number, word, step.resource(), step.object());
        boolean secret = LoggedContent.isSecret(step.resource());
        switch (step) {
            case OperatorStep.EventCame came ->
                line.text("type", came.type().name())
                        .text("version", came.version())
                        .flag("waits", came.waits());
            case OperatorStep.WokenUp woken -> line.text("why", word(woken.why()));
            case OperatorStep.CycleDecided decided -> decided(decided, details);
            case OperatorStep.CycleFailed failed ->
                line.text("failure", details.failure())
                        .millis("delay", failed.delay().toNanos());
            case OperatorStep.CycleEnded ended -> {
                if (cycle != null) {
                    line.millis("took", platform.nanos() - cycle.at());
                    long waited = cycle.began().waited().toNanos();
                    if (waited >= WORTH_TELLING) {
                        line.millis("waited", waited);
                    }
                }
                line.text("next", moment(ended.next()));
            }
            case OperatorStep.ObjectUnreadable unreadable -> line.text("reason", secret ? null : unreadable.reason());
            case OperatorStep.HandlingPaused paused -> line.text("state", paused.paused() ? "paused" : "resumed");
            case OperatorStep.ChildrenCompared compared -> children(compared);
            default -> {}
        }
        line.end();
        return true;
    }

    private void decided(OperatorStep.CycleDecided decided, Details details) {
        line.text("reason", decided.reason() == null ? null : word(decided.reason()))
                .text("decision", word(decided.decision()))
                .texts("changed", details.paths())
                .texts("handlers", decided.handlers())
                .text("diff", details.value(), VALUES_MAX);
    }

    private @Nullable String diff(OperatorStep.CycleDecided decided) {
        return values && !decided.changed().isEmpty() && decided.reason() != Reason.CREATE
                ? LoggedContent.of(decided.resource(), decided.changed())
                        .items()
                        .toString()
                : null;
    }

    private void children(OperatorStep.ChildrenCompared compared) {
        if (values) {
            List<String> troubles = new ArrayList<>();
            compared.troubles()
                    .forEach((child, trouble) ->
                            troubles.add(child.startsWith("Secret ") ? child : child + ": " + trouble));
            line.texts("notReady", troubles);
        } else {
            line.texts("notReady", compared.troubles().keySet());
        }
    }

    private void request(long number, OperatorStep.RequestEnded ended, @Nullable Cycle cycle, Details details) {
        RequestDescription description = ended.description();
        Resource resource = description.resource();
        begin(number, "request");
        String own = "";
        if (resource != null && description.name() != null) {
            String namespace = description.namespace();
            own = namespace == null ? description.name() : namespace + "/" + description.name();
            line.text("resource", name(resource)).text("kind", resource.kind()).text("object", own);
        }
        if (cycle != null
                && !(cycle.began().object().toString().equals(own)
                        && cycle.began().resource().equals(resource))) {
            OperatorStep.CycleBegan began = cycle.began();
            line.text("forResource", name(began.resource()))
                    .text("forKind", began.resource().kind())
                    .text("forObject", began.object().toString())
                    .text("forUid", began.object().uid());
        }
        String path = ended.request().path();
        int query = path.indexOf('?');
        line.text("verb", ended.verb())
                .text("path", query < 0 ? path : path.substring(0, query))
                .number("status", ended.status())
                .millis("took", ended.took().toNanos())
                .texts("paths", details.paths())
                .text("body", details.value(), VALUES_MAX);
    }

    /** Events quote what handlers say, also about Secrets. */
    private @Nullable String body(OperatorStep.RequestEnded ended) {
        Resource resource = ended.description().resource();
        byte[] body = ended.request().body();
        if (!values || body == null || resource == null || resource.plural().equals("events")) {
            return null;
        }
        try {
            return switch (Json.parse(body)) {
                case ObjectNode object -> LoggedContent.of(resource, object).toString();
                case ArrayNode operations ->
                    LoggedContent.of(resource, operations).toString();
                case JsonNode _ -> null;
            };
        } catch (JsonConversionException e) {
            return null; // the server will say so
        }
    }

    private @Nullable String failure(@Nullable Throwable failure, boolean secret) {
        return failure == null ? null : FailureText.of(failure, secret, values);
    }

    private @Nullable String moment(Deadline next) {
        if (next.isNever()) {
            return null;
        }
        Duration left = next.remaining(platform);
        return platform.now().plus(left).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private String name(Resource resource) {
        if (names.size() > RESOURCES_MAX) {
            names.clear();
        }
        return names.computeIfAbsent(resource, Resource::toString);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
