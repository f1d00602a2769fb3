package dev.kopf4j.engine;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorState;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tells several listeners what can be measured.
 *
 * @param all the listeners
 */
record CombinedMetrics(List<MetricsListener> all) implements MetricsListener {
    /** A listener that tells all of these. */
    static MetricsListener of(List<MetricsListener> all) {
        return switch (all.size()) {
            case 0 -> NONE;
            case 1 -> new GuardedMetrics(all.getFirst());
            default ->
                new CombinedMetrics(
                        all.stream().<MetricsListener>map(GuardedMetrics::new).toList());
        };
    }

    @Override
    public void handlerEnded(HandlerCall call) {
        all.forEach(each -> each.handlerEnded(call));
    }

    @Override
    public void processingBegan(String resource, Duration waited) {
        all.forEach(each -> each.processingBegan(resource, waited));
    }

    @Override
    public void objectUnreadable(String resource) {
        all.forEach(each -> each.objectUnreadable(resource));
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        all.forEach(each -> each.requestEnded(verb, status, took));
    }

    @Override
    public void observe(Supplier<OperatorState> state) {
        all.forEach(each -> each.observe(state));
    }
}
