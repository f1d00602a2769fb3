package dev.kopf4j.engine.probe;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the operator works, or would do better after a restart: 200 with the results of its probes by their ids; 500
 * if a probe has failed, nobody reads a stream any more, or the process itself is in trouble. A server that does not
 * answer is no reason for a restart, nor is a stream that is being restored or held up: readiness tells of these.
 * Probes are called once in ten seconds at most, by one request at a time. Thread-safe.
 */
public final class LivenessPage implements ProbePage {
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** How long others wait for handlers that one request has called. */
    private static final Duration AWAITED = Duration.ofSeconds(30);

    private static final int OK = 200;
    private static final int FAILED = 500;

    private final Platform platform;
    private final Probes probes;
    private final Supplier<OperatorState> state;
    private final Duration patience;
    private final Supplier<List<String>> processTroubles;
    private final ConcurrencyLimit single;
    private @Nullable Answer known;
    private Deadline fresh;

    /**
     * A page.
     *
     * @param probes calls the handlers
     * @param patience for how long a stream may be silent without a reason: longer than any request may take
     * @param processTroubles what is wrong with the process, so that only another one helps
     */
    public LivenessPage(
            Platform platform,
            Probes probes,
            Supplier<OperatorState> state,
            Duration patience,
            Supplier<List<String>> processTroubles) {
        this.platform = platform;
        this.probes = probes;
        this.state = state;
        this.patience = patience;
        this.processTroubles = processTroubles;
        this.single = new ConcurrencyLimit(platform, 1);
        this.fresh = platform.after(Duration.ZERO);
    }

    /** The handlers of probes. */
    @FunctionalInterface
    public interface Probes {
        /** Calls them; what they have returned, by their ids. */
        Map<String, Object> call() throws InterruptedException;
    }

    /** For how long a stream may be silent without a reason, by the settings: a request may take long to fail. */
    public static Duration patience(OperatorSettings settings) {
        Duration request = settings.networking().requestTimeout();
        Duration connect = settings.watching().connectTimeout();
        Duration longest = connect == null || connect.compareTo(request) < 0 ? request : connect;
        return longest.plus(settings.watching().inactivityTimeout().multipliedBy(3));
    }

    /**
     * What the handlers have returned, and what is wrong. Not changed any more.
     *
     * @param results by the ids of the handlers
     * @param errors none if all is well
     */
    private record Answer(ObjectNode results, List<String> errors) {
        static Answer failure(String... errors) {
            return new Answer(Json.object(), List.of(errors));
        }
    }

    @Override
    public ProbePage.Response content() throws InterruptedException {
        Answer answer = answer();
        if (answer.errors().isEmpty()) {
            return ProbePage.Response.json(OK, answer.results());
        }
        ObjectNode node = Json.object();
        ArrayNode errors = node.putArray("errors");
        answer.errors().forEach(errors::add);
        return ProbePage.Response.json(FAILED, node);
    }

    /**
     * The same for who does not ask by HTTP: the results by their ids.
     *
     * @throws OperatorException if anything is wrong
     */
    public Map<String, @Nullable Object> check() throws InterruptedException {
        Answer answer = answer();
        if (!answer.errors().isEmpty()) {
            throw new OperatorException(String.join("; ", answer.errors()));
        }
        return Json.toMutableMap(answer.results());
    }

    private Answer answer() throws InterruptedException {
        List<String> stuck = new ArrayList<>(processTroubles.get());
        stuck.addAll(stuckStreams());
        if (!stuck.isEmpty()) {
            return new Answer(Json.object(), stuck);
        }
        if (!single.acquire(platform.after(AWAITED))) {
            return Answer.failure("the probes have been at work for more than " + AWAITED.toSeconds() + " s");
        }
        try {
            Answer answer = known;
            if (answer == null || fresh.hasPassed(platform)) {
                answer = probe();
                known = answer;
                fresh = platform.after(FRESH);
            }
            return answer;
        } finally {
            single.release();
        }
    }

    /** Whoever reads a stream notices silence and failures by itself, and says so. */
    private List<String> stuckStreams() {
        return state.get().streams().stream()
                .filter(stream -> !stream.paused()
                        && stream.trouble() == null
                        && stream.silence().compareTo(patience) > 0)
                .map(stream -> "nothing was heard of " + stream.name() + " for "
                        + stream.silence().toSeconds() + " s, and nobody tries to restore it")
                .toList();
    }

    private Answer probe() throws InterruptedException {
        try {
            ObjectNode results = Json.object();
            probes.call().forEach((id, result) -> results.set(id, shown(result)));
            return new Answer(results, List.of());
        } catch (RuntimeException e) {
            return Answer.failure(String.valueOf(e.getMessage()));
        }
    }

    /** A figure that does not exist, as the share of nothing, is no reason to end the operator. */
    private static JsonNode shown(@Nullable Object result) {
        try {
            return Json.fromJava(result);
        } catch (JsonConversionException e) {
            return Json.fromJava("no JSON: " + e.getMessage());
        }
    }
}
