package dev.kopf4j.benchmarks.process;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What an operator has done so far. Thread-safe. */
public final class OperatorProgress implements MetricsListener {
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final LongAdder events = new LongAdder();
    private final AtomicReference<Supplier<OperatorState>> state = new AtomicReference<>(() -> OperatorState.STARTING);

    @Override
    public void processingBegan(Resource resource, Duration waited) {
        events.increment();
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        requests.computeIfAbsent(verb, key -> new LongAdder()).increment();
    }

    @Override
    public void observe(Supplier<OperatorState> supplier) {
        state.set(supplier);
    }

    /** True if it has seen all that exists, and nothing is left to be done. */
    public boolean isDone() {
        OperatorState now = state.get().get();
        return now.ready()
                && now.streams().stream().mapToInt(StreamState::waiting).sum() == 0;
    }

    /** How many events were processed. */
    public long events() {
        return events.sum();
    }

    /** How many requests of each kind: {@code GET=7 PATCH=1}. */
    public String requests() {
        return new TreeMap<>(requests)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue().sum())
                        .collect(Collectors.joining(" "));
    }
}
