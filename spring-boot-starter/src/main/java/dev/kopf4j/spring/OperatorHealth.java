package dev.kopf4j.spring;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The operator's health in Actuator: up while it watches what it should, as its own page of readiness judges, out of
 * service before that and while it stops, down when it has failed. Thread-safe.
 */
public final class OperatorHealth extends AbstractHealthIndicator {
    private final OperatorLifecycle lifecycle;

    OperatorHealth(OperatorLifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
        OperatorHandle handle = lifecycle.handle();
        if (handle != null && handle.hasEnded()) {
            handle.join(); // throws the failure, which then is the detail
            builder.down().withDetail("reason", "the operator has ended");
            return;
        }
        OperatorState now = handle == null ? OperatorState.STARTING : handle.state();
        Duration patience =
                handle == null ? Duration.ZERO : handle.settings().watching().inactivityTimeout();
        (now.isWell(patience) ? builder.up() : builder.outOfService())
                .withDetail("ready", now.ready())
                .withDetail("streams", streams(now, patience));
        if (!now.troubles().isEmpty()) {
            builder.withDetail("troubles", now.troubles());
        }
    }

    private static Map<String, String> streams(OperatorState now, Duration patience) {
        return now.streams().stream().collect(Collectors.toMap(StreamState::name, stream -> words(stream, patience)));
    }

    private static String words(StreamState stream, Duration patience) {
        if (stream.trouble() != null) {
            return stream.trouble();
        }
        if (stream.isWell(patience)) {
            return "fine";
        }
        return stream.listed() ? "nothing was heard for " + stream.silence().toSeconds() + " s" : "not listed yet";
    }
}
