package dev.kopf4j.persistence.progress;

import dev.kopf4j.json.Json;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far one handler, or one step of a handler, has come with one change of an object. Records that are stored alike
 * are equal. Four fields Kopf does not know and does not look at: {@code intent} and {@code result} of steps,
 * {@code keyGiven}, and {@code late}.
 *
 * <p>Immutable.
 *
 * @param times when it began and ended, and when it goes on
 * @param purpose the reason of the change: {@code create}, {@code update}, {@code delete}, {@code resume}; null fits
 *     any
 * @param retries attempts made so far
 * @param state how the last attempt has ended
 * @param subrefs the ids of all its sub-handlers and steps, sorted
 * @param additions what is stored beside the fields that Kopf knows
 */
public record ProgressRecord(
        Times times, @Nullable String purpose, int retries, State state, List<String> subrefs, Additions additions) {

    /** Makes an empty purpose null, and sorts the ids. */
    public ProgressRecord {
        purpose = purpose == null || purpose.isEmpty() ? null : purpose;
        subrefs = subrefs.isEmpty()
                ? List.of()
                : subrefs.stream().sorted().distinct().toList();
    }

    /**
     * The record of a handler that was not called yet.
     *
     * @param purpose the word of the reason; null for none
     */
    public static ProgressRecord fresh(Instant now, @Nullable String purpose) {
        return new ProgressRecord(new Times(now, null, null), purpose, 0, State.OPEN, List.of(), Additions.NONE);
    }

    /**
     * The times of a record, in microseconds.
     *
     * @param started when it was first scheduled; null if unknown
     * @param stopped when it finally succeeded or failed; null while it is not finished
     * @param delayed the time before which it must not run; null if it need not wait
     * @param late the seconds by which attempts have come late, all in all
     */
    public record Times(
            @Nullable Instant started,
            @Nullable Instant stopped,
            @Nullable Instant delayed,
            int late) {
        /** Truncates to microseconds. */
        public Times {
            started = stored(started);
            stopped = stored(stopped);
            delayed = stored(delayed);
        }

        /** Of what was never late. */
        public Times(@Nullable Instant started, @Nullable Instant stopped, @Nullable Instant delayed) {
            this(started, stopped, delayed, 0);
        }

        /** The same, of what goes on at that time. */
        Times delayedUntil(@Nullable Instant ended, @Nullable Instant next) {
            return new Times(started, ended, next, late);
        }

        /** The same, if an attempt is made now: whole seconds since it was due make it late, and it is due now. */
        Times countingLateness(Instant now, boolean first) {
            if (first && delayed != null) {
                // It has waited for something that counts as no attempt: its time begins with this one.
                return new Times(now, stopped, delayed);
            }
            Instant due = first ? started : delayed;
            if (due == null) {
                return this;
            }
            long seconds = Math.min(Duration.between(due, now).toSeconds(), Integer.MAX_VALUE - late);
            return seconds <= 0 ? this : new Times(started, stopped, due.plusSeconds(seconds), late + (int) seconds);
        }

        private static @Nullable Instant stored(@Nullable Instant time) {
            return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
        }
    }

    /**
     * How the last attempt has ended.
     *
     * @param success whether the handler has succeeded
     * @param failure whether it has failed for good
     * @param message the text of the last error, shortened in the middle beyond 1024 bytes; null if there was none
     */
    public record State(
            boolean success, boolean failure, @Nullable String message) {
        /** Not ended, and nothing went wrong. */
        public static final State OPEN = new State(false, false, null);

        /**
         * Enough of an error for people. All annotations together have 256 KiB, and a record that does not fit is never
         * stored.
         */
        private static final int MESSAGE_BYTES_MAX = 1024;

        /** Shortens the message. */
        public State {
            message = message == null ? null : TextShortener.middle(message, MESSAGE_BYTES_MAX);
        }
    }

    /**
     * What the record of a step says in addition.
     *
     * @param intent true if its call may have been made, and nobody knows how it has ended
     * @param result what it has returned; null for nothing
     */
    public record Step(boolean intent, @Nullable JsonNode result) {
        /** No intent, no result. */
        public static final Step NOTHING = new Step(false, null);
    }

    /**
     * What is stored beside the fields that Kopf knows, apart from times.
     *
     * @param step what is said of a step; null for handlers
     * @param keyGiven true if an attempt of a handler that has failed had a key for outer systems
     * @param unknown what a newer version has stored, which stays until the handler begins anew; null for nothing
     */
    public record Additions(
            @Nullable Step step, boolean keyGiven, @Nullable ObjectNode unknown) {
        /** Nothing: as of nearly all records. */
        public static final Additions NONE = new Additions(null, false, null);

        private static Additions of(@Nullable Step step, boolean keyGiven, @Nullable ObjectNode unknown) {
            return step == null && !keyGiven && unknown == null ? NONE : new Additions(step, keyGiven, unknown);
        }

        private Additions with(Step known) {
            return new Additions(known, keyGiven, unknown);
        }

        private Additions withKeyGiven(boolean given) {
            return of(step, given, unknown);
        }

        private Additions renewed() {
            return of(null, keyGiven, null);
        }
    }

    /** What is said of a step; null for handlers. */
    public @Nullable Step step() {
        return additions.step;
    }

    /** What is known of a step. */
    public Step stepOrNothing() {
        return additions.step == null ? Step.NOTHING : additions.step;
    }

    /** True if an attempt of a handler that has failed had a key for outer systems. */
    public boolean keyGiven() {
        return additions.keyGiven;
    }

    public @Nullable Instant started() {
        return times.started;
    }

    public @Nullable Instant stopped() {
        return times.stopped;
    }

    public @Nullable Instant delayed() {
        return times.delayed;
    }

    /** The time by which attempts have come late, all in all: nobody has made them when they were due. */
    public Duration late() {
        return Duration.ofSeconds(times.late);
    }

    public boolean success() {
        return state.success;
    }

    public boolean failure() {
        return state.failure;
    }

    public @Nullable String message() {
        return state.message;
    }

    /** True if the handler has succeeded or failed for good. */
    public boolean isFinished() {
        return state.success || state.failure;
    }

    /** True if the handler may be called now. */
    public boolean isDue(Instant now) {
        return !isFinished() && delay(now).isZero();
    }

    /**
     * The time until the handler may be called, for those who look at the record for the first time; zero if it is
     * over. A record that begins in the future is of somebody whose clock was ahead: it tells no more than how long the
     * handler has to wait after that.
     */
    public Duration delay(Instant now) {
        if (times.delayed == null || !times.delayed.isAfter(now)) {
            return Duration.ZERO;
        }
        return Duration.between(isAheadOf(now) ? Objects.requireNonNull(times.started) : now, times.delayed);
    }

    /** True if the handler has begun later than now, and has to wait from then on. */
    public boolean isAheadOf(Instant now) {
        return times.started != null
                && times.started.isAfter(now)
                && times.delayed != null
                && !times.delayed.isBefore(times.started);
    }

    /**
     * The same record of a handler that is called now, and is due by now: if the clock was ahead when it has begun, or
     * when its wait was written, these times are earlier.
     */
    public ProgressRecord calledAt(Instant now) {
        if (isAheadOf(now)) {
            Instant begun = now.minus(
                    Duration.between(Objects.requireNonNull(times.started), Objects.requireNonNull(times.delayed)));
            return with(new Times(begun, times.stopped, now, times.late), state);
        }
        Times past = new Times(earlier(times.started, now), times.stopped, earlier(times.delayed, now), times.late);
        return past.equals(times) ? this : with(past, state);
    }

    private static @Nullable Instant earlier(@Nullable Instant time, Instant now) {
        return time != null && time.isAfter(now) ? now : time;
    }

    /** The same record, which waits until that time. */
    public ProgressRecord waitingUntil(Instant next) {
        return with(times.delayedUntil(times.stopped, next), state);
    }

    /** The same record with its time beginning now, if it is not known when it has begun. */
    public ProgressRecord begunBy(Instant now) {
        return times.started != null ? this : with(new Times(now, times.stopped, times.delayed), state);
    }

    /** The same record, whose next attempt is made now, be it late. */
    public ProgressRecord countingLateness(Instant now) {
        return with(times.countingLateness(now, retries == 0), state);
    }

    /** The same record, whose attempt has lost so many seconds, as if it had come later. */
    public ProgressRecord lateBy(long seconds) {
        int late = (int) Math.min(times.late + seconds, Integer.MAX_VALUE);
        return with(new Times(times.started, times.stopped, times.delayed, late), state);
    }

    /** The same record, whose next attempt may be made at once; it has not to wait any more, be it late or not. */
    public ProgressRecord dueAt(Instant now) {
        Times made = times.countingLateness(now, retries == 0);
        boolean waits = made.delayed == null || made.delayed.isAfter(now);
        return with(made.delayedUntil(null, waits ? now : made.delayed), new State(false, false, state.message));
    }

    /** The same record, as far as it names others, begun now and not called yet. */
    public ProgressRecord renewed(Instant now) {
        return new ProgressRecord(new Times(now, null, null), purpose, 0, State.OPEN, subrefs, additions.renewed());
    }

    /** The same record with other times, in another state. */
    public ProgressRecord with(Times newTimes, State newState) {
        return new ProgressRecord(newTimes, purpose, retries, newState, subrefs, additions);
    }

    /** The same record with another purpose. */
    public ProgressRecord with(String newPurpose) {
        return new ProgressRecord(times, newPurpose, retries, state, subrefs, additions);
    }

    /** The same record of a step about which that is known. */
    public ProgressRecord with(Step known) {
        return new ProgressRecord(times, purpose, retries, state, subrefs, additions.with(known));
    }

    /** The same record of a handler whose key was given to an outer system, or was not. */
    public ProgressRecord withKeyGiven(boolean given) {
        return given == keyGiven()
                ? this
                : new ProgressRecord(times, purpose, retries, state, subrefs, additions.withKeyGiven(given));
    }

    /** The same record, which names more sub-handlers or steps. */
    public ProgressRecord withSubrefs(Collection<String> more) {
        if (new HashSet<>(subrefs).containsAll(more)) {
            return this;
        }
        List<String> all = new ArrayList<>(subrefs);
        all.addAll(more);
        return new ProgressRecord(times, purpose, retries, state, all, additions);
    }

    /** One attempt later, which has ended so. */
    public ProgressRecord attempted(@Nullable Instant stopped, @Nullable Instant delayed, State ended) {
        return new ProgressRecord(
                times.delayedUntil(stopped, delayed), purpose, retries + 1, ended, subrefs, additions);
    }

    /** The fields that Kopf does not know: a record has them only if it needs them. */
    public static final List<String> OWN_FIELDS = List.of("intent", "result", "keyGiven", "late");

    private static final Set<String> KOPF_FIELDS =
            Set.of("started", "stopped", "delayed", "purpose", "retries", "success", "failure", "message", "subrefs");

    /** True if this version knows what the field means. */
    public static boolean isKnown(String field) {
        return KOPF_FIELDS.contains(field) || OWN_FIELDS.contains(field);
    }

    /** Returns the fields in Kopf's order, with empty ones or without. */
    public static ObjectNode encode(ProgressRecord record, boolean withNulls) {
        ObjectNode json = Json.object();
        json.put("started", text(record.started()));
        json.put("stopped", text(record.stopped()));
        json.put("delayed", text(record.delayed()));
        json.put("purpose", record.purpose());
        json.put("retries", record.retries());
        json.put("success", record.success());
        json.put("failure", record.failure());
        json.put("message", record.message());
        json.set("subrefs", subrefs(record));
        if (record.step() != null) {
            json.put("intent", record.step().intent());
            json.set("result", record.step().result());
        }
        if (record.keyGiven()) {
            json.put("keyGiven", true);
        }
        if (record.times().late() > 0) {
            json.put("late", record.times().late());
        }
        if (!withNulls) {
            json.removeIf(JsonNode::isNull);
        }
        if (record.additions().unknown() != null) {
            record.additions().unknown().forEachEntry(json::set);
        }
        return json;
    }

    public static @Nullable ProgressRecord decode(JsonNode json, Consumer<String> problem) {
        if (!json.isObject()) {
            problem.accept("expected an object");
            return null;
        }
        return new ProgressRecord(
                new Times(
                        time(json, "started", problem),
                        time(json, "stopped", problem),
                        time(json, "delayed", problem),
                        count(json, "late", problem)),
                string(json, "purpose", problem),
                count(json, "retries", problem),
                new State(
                        flag(json, "success", problem),
                        flag(json, "failure", problem),
                        string(json, "message", problem)),
                strings(json, "subrefs", problem),
                Additions.of(step(json, problem), flag(json, "keyGiven", problem), unknown(json)));
    }

    private static @Nullable ObjectNode unknown(JsonNode json) {
        ObjectNode unknown = null;
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!isKnown(field.getKey())) {
                unknown = unknown == null ? Json.object() : unknown;
                unknown.set(field.getKey(), field.getValue());
            }
        }
        return unknown;
    }

    private static @Nullable Step step(JsonNode json, Consumer<String> problem) {
        JsonNode result = json.path("result");
        return isAbsent(json.path("intent"))
                ? null
                : new Step(flag(json, "intent", problem), isAbsent(result) ? null : result);
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : KubernetesTimestamps.format(time);
    }

    private static @Nullable JsonNode subrefs(ProgressRecord record) {
        if (record.subrefs().isEmpty()) {
            return null;
        }
        ArrayNode subrefs = Json.mapper().createArrayNode();
        record.subrefs().forEach(subrefs::add);
        return subrefs;
    }

    private static @Nullable Instant time(JsonNode json, String field, Consumer<String> problem) {
        String text = string(json, field, problem);
        if (text == null) {
            return null;
        }
        try {
            return KubernetesTimestamps.parse(text);
        } catch (DateTimeException e) {
            problem.accept(field + " is no time: " + json.path(field));
            return null;
        }
    }

    private static @Nullable String string(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value) || value.isString()) {
            return value.stringValue(null);
        }
        problem.accept(field + " is no string: " + value);
        return null;
    }

    private static int count(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value)) {
            return 0;
        }
        if (value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToInt() && value.asInt() >= 0) {
            return value.asInt();
        }
        problem.accept(field + " is no count: " + value);
        return 0;
    }

    private static boolean flag(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value) || value.isBoolean()) {
            return value.booleanValue(false);
        }
        problem.accept(field + " is neither true nor false: " + value);
        return false;
    }

    private static List<String> strings(JsonNode json, String field, Consumer<String> problem) {
        JsonNode values = json.path(field);
        List<String> strings = new ArrayList<>();
        for (JsonNode value : values.isArray() ? values : Json.object()) {
            if (value.isString()) {
                strings.add(value.stringValue());
            } else {
                problem.accept(field + " has something that is no string: " + value);
            }
        }
        if (!isAbsent(values) && !values.isArray()) {
            problem.accept(field + " is no list: " + values);
        }
        return strings;
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
