package dev.kopf4j.engine.probe;

import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.recording.RecordQuery;
import dev.kopf4j.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the operator watches all that it should: 200 if it has seen all that exists, and no stream is disturbed, held
 * up, or silent for too long; 503 if not; with the state of each stream. Where it does not act, there is nothing to be
 * seen: a replica that stands by is ready. With {@code ?uid=UID} it also tells what only memory knows of that object,
 * messages of errors among it, and with {@code ?history=} what was recorded, if the same machine or pod asks. What the
 * log says at the end of the start agrees with it.
 *
 * @param state how the operator is doing
 * @param patience for how long a stream may be silent: servers send bookmarks about once a minute
 * @param recollection what memory knows of an object
 * @param history what was recorded; null for nothing
 */
public record ReadinessPage(
        Supplier<OperatorState> state,
        Duration patience,
        Recollection recollection,
        @Nullable Asking history) implements ProbePage {
    private static final String UID = "uid=";
    private static final int TOLD_MAX = 10;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /** A page that knows of no objects. */
    public ReadinessPage(Supplier<OperatorState> state, Duration patience) {
        this(state, patience, _ -> Optional.empty(), null);
    }

    /** What only memory knows of objects: none of their values, but messages of errors. Thread-safe. */
    @FunctionalInterface
    public interface Recollection {
        /** Of the object with that uid; empty if it is not watched. */
        Optional<ObjectNode> recall(String uid);
    }

    /** What was recorded. Thread-safe. */
    @FunctionalInterface
    public interface Asking {
        /** The answer to a query, as lines of JSON. */
        String answer(RecordQuery query) throws InterruptedException;
    }

    /**
     * Whether the API server can reach the webhooks of this replica, and has not refused their configurations since it
     * started: a roll-out stops there. The Service of webhooks may ask for nothing else: the lists of an operator that
     * converts wait for that Service, so that the Service must not wait for them, and webhooks that work are not taken
     * away because something else does not. 200 or 503.
     *
     * @param state how the operator is doing
     */
    public record OfWebhooks(Supplier<OperatorState> state) implements ProbePage {
        @Override
        public ProbePage.Response content() {
            OperatorState now = state.get();
            ObjectNode node = Json.object();
            node.put("serving", now.serving());
            if (!now.serving()) {
                now.troubles().forEach(node.putArray("troubles")::add);
            }
            return ProbePage.Response.json(now.serving() ? OK : UNAVAILABLE, node);
        }
    }

    @Override
    public ProbePage.Response content() {
        return told("");
    }

    @Override
    public ProbePage.Response content(String query) throws InterruptedException {
        return history != null && RecordQuery.isOne(query)
                ? new ProbePage.Response(OK, RecordQuery.TYPE, history.answer(RecordQuery.of(query)))
                : told(query);
    }

    private ProbePage.Response told(String query) {
        OperatorState now = state.get();
        boolean ready = now.isWell(patience);
        ObjectNode node = Json.object();
        node.put("ready", ready);
        now.pauses().forEach(node.putArray("paused")::add);
        now.troubles().forEach(node.putArray("troubles")::add);
        OperatorState.Shards shards = now.shards();
        if (shards != null) {
            node.putObject("shards").put("served", shards.numbers()).put("of", shards.count());
        }
        ArrayNode streams = node.putArray("streams");
        now.streams().forEach(stream -> put(streams.addObject(), stream));
        if (query.startsWith(UID)) {
            node.set(
                    "object", recollection.recall(query.substring(UID.length())).orElse(null));
        }
        return ProbePage.Response.json(ready ? OK : UNAVAILABLE, node);
    }

    private @Nullable String trouble(StreamState stream) {
        String known = stream.trouble();
        return known == null && stream.silence().compareTo(patience) > 0
                ? "nothing was heard for " + stream.silence().toSeconds() + " s"
                : known;
    }

    private void put(ObjectNode node, StreamState stream) {
        node.put("stream", stream.name());
        node.put("resource", stream.resource().plural());
        node.put("group", stream.resource().group());
        node.put("version", stream.resource().version());
        if (stream.namespace() != null) {
            node.put("namespace", stream.namespace());
        }
        node.put("listed", stream.listed());
        node.put("paused", stream.paused());
        node.put("silentSeconds", BigDecimal.valueOf(stream.silence().toMillis(), 3));
        String trouble = trouble(stream);
        if (trouble != null) {
            node.put("trouble", trouble);
        }
    }

    /** What the operator cannot watch, with the reasons; empty if it watches all that it should, or is paused. */
    public static List<String> obstacles(OperatorState state) {
        List<String> obstacles = new ArrayList<>(state.troubles());
        state.streams().stream()
                .filter(stream -> !stream.paused() && (!stream.listed() || stream.trouble() != null))
                .map(ReadinessPage::obstacle)
                .forEach(obstacles::add);
        return obstacles;
    }

    /** True if a stream has begun, and has neither listed its objects nor met a trouble. */
    public static boolean isListing(OperatorState state) {
        return state.streams().stream()
                .anyMatch(stream -> !stream.paused() && !stream.listed() && stream.trouble() == null);
    }

    private static String obstacle(StreamState stream) {
        return stream.name() + (stream.trouble() == null ? " is not listed yet" : ": " + stream.trouble());
    }

    /** Says that the operator is ready, or what it waits for before it acts. */
    public static String readyMessage(OperatorState state) {
        if (state.pauses().isEmpty()) {
            return "The operator is ready.";
        }
        List<StreamState> streams = state.streams();
        boolean partly = streams.stream().anyMatch(StreamState::paused)
                && !streams.stream().allMatch(StreamState::paused);
        return "The operator is ready, but does not act " + (partly ? "everywhere " : "") + "yet: "
                + String.join("; ", state.pauses()) + ".";
    }

    /** Says that the operator is not ready, and why. */
    public static String notReadyMessage(List<String> obstacles) {
        int more = obstacles.size() - TOLD_MAX;
        return "The operator has started, but is not ready, and goes on trying: "
                + String.join("; ", obstacles.subList(0, Math.min(obstacles.size(), TOLD_MAX)))
                + (more > 0 ? "; and " + more + " more" : "") + ".";
    }
}
