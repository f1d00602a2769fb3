package dev.kopf4j.engine.probe;

import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the operator works: 200 with the results of its probes by their ids; 500 if a probe has failed, or a stream
 * has been deaf for longer than is bearable. Probes are called once in ten seconds at most, by one request at a time.
 * Thread-safe.
 */
public final class LivenessPage implements ProbePage {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int FAILED = 500;

    private final Platform platform;
    private final Probes probes;
    private final Supplier<OperatorState> state;
    private final Duration patience;
    private final ConcurrencyLimit single;
    private @Nullable ProbeResponse known;
    private Deadline fresh;

    /**
     * A page.
     *
     * @param probes calls the handlers
     * @param patience for how long a stream may be disturbed until that counts
     */
    public LivenessPage(Platform platform, Probes probes, Supplier<OperatorState> state, Duration patience) {
        this.platform = platform;
        this.probes = probes;
        this.state = state;
        this.patience = patience;
        this.single = new ConcurrencyLimit(platform, 1);
        this.fresh = platform.after(Duration.ZERO);
    }

    /** The handlers of probes. */
    @FunctionalInterface
    public interface Probes {
        /** Calls them; what they have returned, by their ids. */
        Map<String, Object> call() throws InterruptedException;
    }

    @Override
    public ProbeResponse content() throws InterruptedException {
        List<String> deaf = deafStreams();
        if (!deaf.isEmpty()) {
            return failure(deaf);
        }
        single.acquire(Deadline.NEVER);
        try {
            ProbeResponse content = known;
            if (content == null || fresh.hasPassed(platform)) {
                content = probe();
                known = content;
                fresh = platform.after(FRESH);
            }
            return content;
        } finally {
            single.release();
        }
    }

    private List<String> deafStreams() {
        return state.get().streams().stream().flatMap(this::deafness).toList();
    }

    /** A stream that is being restored is no reason to restart the process, unless that takes too long. */
    private Stream<String> deafness(StreamState stream) {
        if (stream.paused() || stream.silence().compareTo(patience) <= 0) {
            return Stream.empty();
        }
        String reason = stream.trouble();
        boolean silent = stream.silence().compareTo(patience.multipliedBy(3)) > 0;
        if (reason == null && !silent) {
            return Stream.empty();
        }
        return Stream.of("nothing was heard of " + stream.name() + " for "
                + stream.silence().toSeconds() + " s" + (reason == null ? "" : ": " + reason));
    }

    private ProbeResponse probe() throws InterruptedException {
        try {
            return ProbeResponse.json(OK, Json.fromJava(probes.call()));
        } catch (JsonConversionException e) {
            return failure(List.of("the result of a probe is no JSON: " + e.getMessage()));
        } catch (RuntimeException e) {
            return failure(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static ProbeResponse failure(List<String> reasons) {
        ObjectNode node = Json.object();
        ArrayNode errors = node.putArray("errors");
        reasons.forEach(errors::add);
        return ProbeResponse.json(FAILED, node);
    }
}
