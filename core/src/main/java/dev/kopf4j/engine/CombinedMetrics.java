package dev.kopf4j.engine;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /** Protects calls, requests and streams from a listener that fails. Logs its first failure. Thread-safe. */
    private static final class GuardedMetrics implements MetricsListener {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

        private final MetricsListener guarded;
        private final AtomicBoolean hasFailed = new AtomicBoolean();

        GuardedMetrics(MetricsListener guarded) {
            this.guarded = guarded;
        }

        @Override
        public void handlerEnded(HandlerCall call) {
            guard(() -> guarded.handlerEnded(call));
        }

        @Override
        public void processingBegan(String resource, Duration waited) {
            guard(() -> guarded.processingBegan(resource, waited));
        }

        @Override
        public void objectUnreadable(String resource) {
            guard(() -> guarded.objectUnreadable(resource));
        }

        @Override
        public void requestEnded(String verb, int status, Duration took) {
            guard(() -> guarded.requestEnded(verb, status, took));
        }

        @Override
        public void observe(Supplier<OperatorState> state) {
            guard(() -> guarded.observe(state));
        }

        private void guard(Runnable told) {
            try {
                told.run();
            } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
                if (hasFailed.compareAndSet(false, true)) {
                    log.error(
                            "The metrics listener {} has failed: what it has missed is not told again, nor are its further"
                                    + " failures.",
                            guarded.getClass().getName(),
                            e);
                }
            }
        }
    }
}
