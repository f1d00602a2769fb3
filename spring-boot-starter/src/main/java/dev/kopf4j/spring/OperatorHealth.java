package dev.kopf4j.spring;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The operator's health in Actuator: up while it watches what it should, out of service before that and while it stops,
 * down when it has failed. Thread-safe.
 */
public final class OperatorHealth extends AbstractHealthIndicator implements MetricsListener {
    private final Supplier<OperatorLifecycle> lifecycle;
    private volatile Supplier<OperatorState> state = () -> OperatorState.STARTING;

    OperatorHealth(Supplier<OperatorLifecycle> lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    public void observe(Supplier<OperatorState> observed) {
        this.state = observed;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
        OperatorHandle handle = lifecycle.get().handle();
        if (handle != null && handle.hasEnded()) {
            handle.join(); // throws the failure, which then is the detail
            builder.down().withDetail("reason", "the operator has ended");
            return;
        }
        OperatorState now = state.get();
        (works(handle, now) ? builder.up() : builder.outOfService())
                .withDetail("ready", now.ready())
                .withDetail("streams", streams(now));
        if (!now.troubles().isEmpty()) {
            builder.withDetail("troubles", now.troubles());
        }
    }

    private static boolean works(@Nullable OperatorHandle handle, OperatorState now) {
        return handle != null
                && now.ready()
                && now.troubles().isEmpty()
                && now.streams().stream().allMatch(stream -> stream.trouble() == null);
    }

    private static Map<String, String> streams(OperatorState now) {
        return now.streams().stream()
                .collect(Collectors.toMap(
                        StreamState::name, stream -> Objects.requireNonNullElse(stream.trouble(), "fine")));
    }
}
