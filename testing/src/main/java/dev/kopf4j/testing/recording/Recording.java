package dev.kopf4j.testing.recording;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records what one operator under test does, and wakes those who wait for something of it. Thread-safe: all of it is
 * guarded by its monitor.
 */
public final class Recording implements OperatorTrace {
    private static final int SNAPSHOTS_MAX = 10_000;

    /** Objects and collections, but what the framework itself reads: definitions, namespaces, leases, peerings. */
    private static final Pattern OBJECTS = Pattern.compile(
            "/apis?/.*/(?!customresourcedefinitions|namespaces$|leases|(cluster)?kopfpeerings)[a-z]+(/[^/]+)?(/status)?");

    private final Platform platform;
    private final Monitor monitor;
    private final History history;
    private final ObjectStates objects;
    private final RecordedCalls calls = new RecordedCalls();
    private final List<RecordedRequest> requests = new ArrayList<>();
    private final List<LogLine> logs = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Deque<ObjectNode> snapshots = new ArrayDeque<>();
    private final RecordedText output = new RecordedText();
    private @Nullable Throwable failure;
    private boolean ended;
    private final boolean quiet;

    /** A recording on the clock of that machine. */
    public Recording(Platform platform) {
        this(platform, false);
    }

    /**
     * A recording on the clock of that machine.
     *
     * @param quiet true if nothing is to be logged, nowhere: for thousands of simulations
     */
    public Recording(Platform platform, boolean quiet) {
        this.quiet = quiet;
        this.platform = platform;
        this.monitor = platform.monitor();
        this.objects = new ObjectStates(platform);
        this.history = new History(platform);
    }

    @Override
    public void happened(OperatorStep step) {
        history.add(step);
        switch (step) {
            case OperatorStep.StreamBegan(Resource resource, String namespace, String labelSelector) ->
                monitor.locked(() ->
                        objects.watched(new WatchedResource(resource, Optional.ofNullable(namespace), labelSelector)));
            case OperatorStep.OfObject ofObject -> ofObject(ofObject);
            case OperatorStep.CallBegan(HandlerKind kind, HandlerContext context) -> callBegan(kind, context);
            case OperatorStep.CallEnded ended -> callEnded(ended);
            default -> {}
        }
    }

    private void ofObject(OperatorStep.OfObject step) {
        UnaryOperator<ObjectState> change = switch (step) {
            case OperatorStep.EventCame came ->
                state -> state.noticed(came.object(), came.version(), came.gone(), came.waits());
            case OperatorStep.WokenUp _ -> ObjectState::woken;
            case OperatorStep.CycleEnded ended -> state -> state.awaiting(ended.next());
            case OperatorStep.WorkerLeft _ -> ObjectState::released;
            case OperatorStep.WorkDropped _ -> ObjectState::dropped;
            default -> null;
        };
        if (change != null) {
            monitor.locked(() -> objects.change(step.resource(), step.object(), change));
        }
    }

    private void callBegan(HandlerKind kind, HandlerContext context) {
        ObjectNode body = (ObjectNode) Json.fromJava(context.body().toMap());
        Instant now = platform.now();
        monitor.locked(() ->
                calls.begin(new RecordedCall(kind, context, new BodyView(calls.shared(body)), now, Optional.empty())));
    }

    private void callEnded(OperatorStep.CallEnded ended) {
        if (ended.outcome() == null && ended.failure() == null) {
            return; // nobody knows how it ends
        }
        // A daemon that was interrupted in order to stop has ended, too.
        RecordedCall.End end = new RecordedCall.End(
                platform.now(),
                Objects.requireNonNullElse(ended.outcome(), HandlerCall.Outcome.ERROR),
                Optional.ofNullable(ended.result()).map(JsonNode::toString),
                Optional.ofNullable(ended.failure()));
        monitor.locked(() -> calls.end(ended.context(), end));
    }

    /** A request was answered by the dev cluster. */
    public void answered(ApiRequest request, ApiResponse response) {
        RecordedRequest recorded = new RecordedRequest(
                RecordedRequest.clientOf(request),
                request.method(),
                request.path(),
                RecordedRequest.Query.of(request),
                response.body() instanceof ApiResponse.Broken ? 0 : response.status(),
                request.header("Authorization"),
                problem(response));
        Optional<ObjectNode> written = written(request, response);
        monitor.locked(() -> {
            requests.add(recorded);
            written.ifPresent(this::keep);
            if (!recorded.isRead()
                    || recorded.status() >= 400
                    || recorded.status() == 0
                    || isReadOfHandler(recorded, request)) {
                history.note(
                        "request",
                        recorded.words()
                                + written.filter(object -> request.method().equals("POST"))
                                        .map(object -> " " + name(object))
                                        .orElse(""));
            }
        });
    }

    /** The framework itself lists page by page, looks at what is served, and reads its lease. */
    private static boolean isReadOfHandler(RecordedRequest recorded, ApiRequest request) {
        return recorded.byOperator()
                && !recorded.watch()
                && request.parameter("limit").isEmpty()
                && OBJECTS.matcher(recorded.path()).matches();
    }

    private static Optional<ObjectNode> written(ApiRequest request, ApiResponse response) {
        return !request.method().equals("GET")
                        && !request.query().containsKey("dryRun")
                        && response.status() < 300
                        && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                        && Json.parse(bytes) instanceof ObjectNode object
                        && object.path("metadata").has("uid")
                ? Optional.of(object)
                : Optional.empty();
    }

    private static String name(ObjectNode object) {
        return object.path("metadata").path("name").asString("");
    }

    private void keep(ObjectNode object) {
        if (snapshots.size() == SNAPSHOTS_MAX) {
            snapshots.removeFirst();
        }
        snapshots.add(object);
    }

    /** The states in which writes have left an object that has, or had, this name. */
    public List<Body> snapshots(String kind, String name) {
        return monitor.locked(() -> snapshots.stream()
                .filter(each -> each.path("kind").asString("").equals(kind)
                        && name(each).equals(name))
                .<Body>map(BodyView::new)
                .toList());
    }

    private static Optional<String> problem(ApiResponse response) {
        return response.status() >= 400
                        && response.contentType().startsWith("application/json")
                        && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                ? Optional.of(Json.parse(bytes).path("message").asString(""))
                : Optional.empty();
    }

    /** True if nothing is to be logged. */
    boolean isQuiet() {
        return quiet;
    }

    /** Something was logged. */
    public void logged(LogLine line) {
        monitor.locked(() -> {
            logs.add(line);
            output.log(line);
            if (!line.level().equals("DEBUG") && !line.level().equals("TRACE")) {
                history.note("log", line.toString());
            }
        });
    }

    /** A handler has printed something. */
    public void printed(String text) {
        monitor.locked(() -> output.print(text));
    }

    /** A Kubernetes event was posted or has changed. */
    public void posted(Event event) {
        monitor.locked(() -> {
            events.add(event);
            history.note("posted", words(event));
        });
    }

    private static String words(Event event) {
        ObjectReference about = event.getInvolvedObject();
        return event.getType() + " " + event.getReason()
                + (about == null ? "" : " about " + about.getKind() + " " + about.getName()) + ": "
                + event.getMessage();
    }

    /** The Kubernetes events so far in words; to be used within {@link #look} and {@link #await}. */
    public List<String> posted() {
        return events.stream().map(Recording::words).toList();
    }

    /**
     * Somebody does something that belongs into the history.
     *
     * @param kind what it is, in a word
     */
    public void noted(String kind, String text) {
        history.note(kind, text);
    }

    /** The operator has ended; the failure is null if it has ended well. */
    public void ended(@Nullable Throwable why) {
        monitor.locked(() -> {
            ended = true;
            failure = why;
            history.note("operator", why == null ? "has ended" : "has failed: " + why);
        });
    }

    /** The operator was killed: its calls end without an end. */
    public void killed() {
        monitor.locked(() -> {
            calls.cutOff();
            history.note("operator", "is killed");
        });
    }

    /** It is to be started, again perhaps. */
    public void starts() {
        monitor.locked(() -> {
            ended = false;
            failure = null;
            objects.forget();
            history.note("operator", "is to start");
        });
    }

    /** Waits until the condition holds, or the operator has ended, or the deadline has passed; false then. */
    public boolean await(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        Supplier<Optional<Boolean>> attempt =
                () -> condition.getAsBoolean() ? Optional.of(true) : ended ? Optional.of(false) : Optional.empty();
        return monitor.await(attempt, deadline).orElse(false);
    }

    /** Looks at something of it while nothing changes. */
    public <T> T look(Supplier<T> at) {
        return monitor.locked(at);
    }

    /** How far the operator is with the objects; to be used within {@link #look} and {@link #await}. */
    public ObjectStates objects() {
        return objects;
    }

    /** The calls so far, in the order of their begins. */
    public List<RecordedCall> calls() {
        return monitor.locked(calls::all);
    }

    /** The ended calls of a handler; to be used within {@link #look} and {@link #await}. */
    public List<RecordedCall> endedCalls(String handler) {
        return calls.all().stream()
                .filter(call -> call.handler().equals(handler) && call.end().isPresent())
                .toList();
    }

    /** True once the operator has ended; to be used within {@link #look} and {@link #await}. */
    public boolean ended() {
        return ended;
    }

    /** The requests so far. */
    public List<RecordedRequest> requests() {
        return monitor.locked(() -> List.copyOf(requests));
    }

    /** The lines of the log so far. */
    public List<LogLine> logs() {
        return monitor.locked(() -> List.copyOf(logs));
    }

    /** The first Kubernetes event that fits; to be used within {@link #look} and {@link #await}. */
    public Optional<Event> event(Function<Event, Boolean> fits) {
        return events.stream().filter(fits::apply).findFirst();
    }

    /** The Kubernetes events so far. */
    public List<Event> events() {
        return monitor.locked(() -> List.copyOf(events));
    }

    /** What was logged and printed, in order. */
    public String output() {
        return monitor.locked(output::text);
    }

    /** True once the operator has ended. */
    public boolean hasEnded() {
        return monitor.locked(() -> ended);
    }

    /** What has ended the operator. */
    public Optional<Throwable> failure() {
        return Objects.requireNonNull(monitor.locked(() -> Optional.ofNullable(failure)));
    }

    /** The lines of the history. */
    public List<String> lines() {
        return history.lines();
    }

    /** What is left to do, and what has happened so far, for messages. */
    public String story() {
        return story(List.of());
    }

    /**
     * The same.
     *
     * @param pending what is pending besides what is known here
     */
    public String story(List<String> pending) {
        return monitor.locked(
                () -> "What is pending:\n" + pending(pending) + "\nWhat has happened:\n" + history.shown());
    }

    private String pending(List<String> others) {
        List<String> found = new ArrayList<>();
        others.forEach(line -> found.add("  " + line));
        calls.running().forEach(call -> found.add("  " + call + " since " + call.began()));
        objects.pending(calls.retried()).forEach(line -> found.add("  " + line));
        if (ended) {
            found.add("  nothing, as the operator has ended" + (failure == null ? "" : ": " + failure));
        }
        return found.isEmpty() ? "  nothing" : String.join("\n", found);
    }
}
