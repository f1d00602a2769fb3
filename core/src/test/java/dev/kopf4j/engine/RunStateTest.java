package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.RunState.RunPlatform;
import dev.kopf4j.engine.simulation.BusyCarriers;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunStateTest {
    private final RunState state = new RunState(new SystemPlatform());
    private final RunPlatform platform = new RunPlatform(new SystemPlatform(), state);

    @Test
    void anOperatorWithoutATaskThatItNeedsFails() throws InterruptedException {
        platform.spawnEssential("leader election", () -> {
            throw new IllegalStateException("no bytes");
        });
        state.awaitStopRequest();
        assertThatThrownBy(state::throwFailure)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("'leader election' has failed unexpectedly")
                .hasMessageContaining("no bytes");
    }

    @Test
    @Timeout(30)
    void aRunObeysHoweverMuchHandlersCompute() throws InterruptedException {
        state.begin(() -> {
            try {
                state.awaitStopRequest();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                state.end(null);
            }
        });
        try (BusyCarriers _ = new BusyCarriers()) {
            state.requestStop();
            state.awaitEnd();
        }
    }

    /** A signal may come before the run begins; an operator that never gets ready would not end. */
    @Test
    @Timeout(10)
    void aRunThatWasAskedToStopBeforeItBeganIsInterrupted() throws InterruptedException {
        state.requestStop();
        state.begin(() -> {
            try {
                platform.sleep(Duration.ofHours(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                state.end(null);
            }
        });
        state.awaitEnd();
        assertThat(state.hasEnded()).isTrue();
    }

    @Test
    void aTimeBelowZeroIsOverAtOnceHoweverFarBelow() throws InterruptedException {
        assertThat(state.awaitReady(Duration.ofSeconds(-1))).isFalse();
        assertThat(state.awaitReady(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
    }

    @Test
    void othersMayFail() throws InterruptedException {
        platform.spawn("connection", () -> {
                    throw new IllegalStateException("odd bytes");
                })
                .join(Deadline.NEVER);
        platform.sleep(Duration.ZERO);
        state.throwFailure();
    }
}
