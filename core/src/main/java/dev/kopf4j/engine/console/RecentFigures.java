package dev.kopf4j.engine.console;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.engine.probe.CountedHandlers;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator has done in the last five minutes, in steps of two seconds, and with each handler since its start.
 * Counting a step takes some ten nanoseconds. Thread-safe.
 */
final class RecentFigures implements OperatorTrace {
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final int STEPS = 150;
    private static final int REFUSED = 400;
    private static final int FORBIDDEN = 403;
    private static final int RIGHTS_MAX = 50;

    private final Platform platform;
    private final CountedHandlers counted = new CountedHandlers();
    private final AtomicReferenceArray<Slot> slots = new AtomicReferenceArray<>(STEPS + 1);
    private final ConcurrentMap<HandlerKey, HandlerFigures> handlers = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, MissingRight> missingRights = new ConcurrentHashMap<>();

    /** Nothing has been done. */
    RecentFigures(Platform platform) {
        this.platform = platform;
    }

    /** What is counted in each step. */
    private enum Count {
        EVENTS,
        CALLS,
        FAILURES,
        REQUESTS,
        REFUSED
    }

    /** What is measured in each step. */
    private enum Measure {
        WAITED,
        CALL,
        REQUEST
    }

    @Override
    public boolean hearsOfChildren() {
        return false;
    }

    @Override
    public void happened(OperatorStep step) {
        switch (step) {
            case OperatorStep.EventCame _ -> slot().count(Count.EVENTS);
            case OperatorStep.CycleBegan began
            when began.type() != null -> slot().measure(Measure.WAITED, began.waited());
            case OperatorStep.CallEnded ended when ended.outcome() != null -> ended(ended, ended.outcome());
            case OperatorStep.RequestEnded ended -> ended(ended);
            default -> {}
        }
    }

    private void ended(OperatorStep.CallEnded ended, HandlerCall.Outcome outcome) {
        boolean background = ended.kind() == HandlerKind.DAEMON || ended.kind() == HandlerKind.TIMER;
        Slot slot = slot();
        slot.count(Count.CALLS);
        if (outcome != HandlerCall.Outcome.SUCCEEDED) {
            slot.count(Count.FAILURES);
        }
        if (!background) {
            slot.measure(Measure.CALL, ended.took());
        }
        HandlerKey key = new HandlerKey(
                ended.context().resource().toString(),
                counted.counted(ended.context().handlerId()),
                ended.kind());
        handlers.computeIfAbsent(key, _ -> new HandlerFigures()).ended(outcome, ended.took());
    }

    private void ended(OperatorStep.RequestEnded ended) {
        Slot slot = slot();
        slot.count(Count.REQUESTS);
        if (ended.status() == 0 || ended.status() >= REFUSED) {
            slot.count(Count.REFUSED);
        }
        if (!ended.verb().equals("WATCH")) {
            slot.measure(Measure.REQUEST, ended.took());
        }
        requests.computeIfAbsent(ended.verb() + " " + ended.status(), _ -> new LongAdder())
                .increment();
        if (ended.status() == FORBIDDEN && missingRights.size() < RIGHTS_MAX) {
            RequestDescription description = ended.description();
            missingRights.merge(
                    description.permission(), new MissingRight(description.rbacRule(), 1), MissingRight::plus);
        } else if (ended.status() < REFUSED && ended.status() > 0 && !missingRights.isEmpty()) {
            missingRights.remove(ended.description().permission());
        }
    }

    /** What the server has forbidden the last time that it was asked. */
    private record MissingRight(String rule, long count) {
        MissingRight plus(MissingRight more) {
            return new MissingRight(rule, count + more.count);
        }
    }

    /** The rights that requests have lacked, and the rules of a role that grant them. */
    void tellMissingRights(ArrayNode into) {
        missingRights.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> into.addObject()
                        .put("right", entry.getKey())
                        .put("rule", entry.getValue().rule())
                        .put("count", entry.getValue().count()));
    }

    private Slot slot() {
        long number = now();
        int at = Math.floorMod(number, STEPS + 1);
        Slot found = slots.get(at);
        if (found != null && found.number == number) {
            return found;
        }
        Slot fresh = new Slot(number);
        return slots.compareAndSet(at, found, fresh) ? fresh : slot();
    }

    private long now() {
        return Math.floorDiv(platform.nanos(), STEP.toNanos());
    }

    /** The last steps that are over, the oldest first: counts in each, and medians and 95th percentiles in ms. */
    void tell(ObjectNode into) {
        List<@Nullable Slot> all = new ArrayList<>();
        long now = now();
        for (long number = now - STEPS; number < now; number++) {
            Slot found = slots.get(Math.floorMod(number, STEPS + 1));
            all.add(found != null && found.number == number ? found : null);
        }
        into.put("stepSeconds", STEP.toSeconds());
        for (Count count : Count.values()) {
            put(into, word(count), all, slot -> slot.counted(count));
        }
        for (Measure measure : Measure.values()) {
            ArrayNode medians = into.putArray(word(measure) + "Median");
            ArrayNode highs = into.putArray(word(measure) + "High");
            for (Slot slot : all) {
                Durations durations = slot == null ? null : slot.measured(measure);
                add(medians, durations == null ? null : durations.percentile(50));
                add(highs, durations == null ? null : durations.percentile(95));
            }
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void put(ObjectNode into, String name, List<@Nullable Slot> all, ToLongFunction<Slot> figure) {
        ArrayNode figures = into.putArray(name);
        all.forEach(slot -> figures.add(slot == null ? 0 : figure.applyAsLong(slot)));
    }

    private static void add(ArrayNode figures, @Nullable BigDecimal figure) {
        if (figure == null) {
            figures.addNull();
        } else {
            figures.add(figure);
        }
    }

    /** What each handler has done since the start, and how many requests were sent, by their verbs and statuses. */
    void tellTotals(ArrayNode ofHandlers, ObjectNode ofRequests) {
        handlers.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            ObjectNode told = ofHandlers.addObject();
            told.put("id", entry.getKey().id())
                    .put("kind", word(entry.getKey().kind()))
                    .put("resource", entry.getKey().resource());
            entry.getValue().tell(told);
        });
        requests.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(
                        entry -> ofRequests.put(entry.getKey(), entry.getValue().sum()));
    }

    /** Which handler. */
    private record HandlerKey(String resource, String id, HandlerKind kind) implements Comparable<HandlerKey> {
        @Override
        public int compareTo(HandlerKey other) {
            int byResource = resource.compareTo(other.resource);
            int byId = byResource == 0 ? id.compareTo(other.id) : byResource;
            return byId == 0 ? kind.compareTo(other.kind) : byId;
        }
    }

    /** What a handler has done since the start. Thread-safe. */
    private static final class HandlerFigures {
        private final Map<HandlerCall.Outcome, LongAdder> outcomes = counters(HandlerCall.Outcome.class);
        private final Durations durations = new Durations();

        void ended(HandlerCall.Outcome outcome, Duration took) {
            Objects.requireNonNull(outcomes.get(outcome)).increment();
            durations.add(took);
        }

        void tell(ObjectNode into) {
            ObjectNode calls = into.putObject("calls");
            outcomes.forEach((outcome, count) -> {
                if (count.sum() > 0) {
                    calls.put(word(outcome), count.sum());
                }
            });
            into.put("medianMillis", durations.percentile(50)).put("highMillis", durations.percentile(95));
        }
    }

    /** Two seconds. Thread-safe. */
    private static final class Slot {
        private final long number;
        private final Map<Count, LongAdder> counts = counters(Count.class);
        private final Map<Measure, Durations> measures = new EnumMap<>(Measure.class);

        Slot(long number) {
            this.number = number;
            for (Measure measure : Measure.values()) {
                measures.put(measure, new Durations());
            }
        }

        void count(Count which) {
            Objects.requireNonNull(counts.get(which)).increment();
        }

        long counted(Count which) {
            return Objects.requireNonNull(counts.get(which)).sum();
        }

        void measure(Measure which, Duration took) {
            measured(which).add(took);
        }

        Durations measured(Measure which) {
            return Objects.requireNonNull(measures.get(which));
        }
    }

    /** One for each constant; the map is only read from then on. */
    private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
        Map<E, LongAdder> counters = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counters.put(constant, new LongAdder());
        }
        return counters;
    }

    /** How long something took, in classes that differ by a fifth, from 50 microseconds to hours. Thread-safe. */
    static final class Durations {
        private static final int CLASSES = 120;
        private static final int PER_OCTAVE = 4;
        private static final long SMALLEST = Duration.ofNanos(50_000).toNanos();

        private volatile @Nullable AtomicIntegerArray counts;

        void add(Duration took) {
            AtomicIntegerArray all = counts;
            (all == null ? made() : all).incrementAndGet(classOf(took.toNanos()));
        }

        private synchronized AtomicIntegerArray made() {
            AtomicIntegerArray all = counts;
            if (all == null) {
                all = new AtomicIntegerArray(CLASSES);
                counts = all;
            }
            return all;
        }

        private static int classOf(long nanos) {
            double octaves = Math.log((double) Math.max(nanos, SMALLEST) / SMALLEST) / Math.log(2);
            return (int) Math.min(CLASSES - 1, Math.round(octaves * PER_OCTAVE));
        }

        /** So many percent took that many milliseconds at most, about; null if nothing was measured. */
        @Nullable BigDecimal percentile(int percent) {
            AtomicIntegerArray all = counts;
            long sum = 0;
            for (int at = 0; all != null && at < CLASSES; at++) {
                sum += all.get(at);
            }
            if (all == null || sum == 0) {
                return null;
            }
            long wanted = (sum * percent + 99) / 100;
            int at = 0;
            for (long passed = all.get(0); passed < wanted && at < CLASSES - 1; passed += all.get(at)) {
                at++;
            }
            double millis = SMALLEST / 1e6 * Math.pow(2, (double) at / PER_OCTAVE);
            return BigDecimal.valueOf(millis).setScale(2, RoundingMode.HALF_UP);
        }
    }
}
