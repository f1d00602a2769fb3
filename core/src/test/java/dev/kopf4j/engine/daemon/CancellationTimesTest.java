package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.daemon.DaemonStopping.CancellationTimes;
import dev.kopf4j.engine.daemon.DaemonStopping.CancellationTimes.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link CancellationTimes}: what is done to a daemon that has to stop, and when. */
@Tag("E06")
@Tag("L21")
class CancellationTimesTest {
    private static final Duration POLLING = Duration.ofMinutes(1);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void askedThenForcedThenAbandoned() {
        CancellationTimes cancellationTimes = new CancellationTimes(seconds(2), seconds(3), POLLING);
        assertThat(cancellationTimes.at(Duration.ZERO, null)).isEqualTo(new Stage.Asked(seconds(2)));
        assertThat(cancellationTimes.at(seconds(1), null)).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(cancellationTimes.at(seconds(2), null)).isEqualTo(new Stage.Forced(seconds(3)));
        assertThat(cancellationTimes.at(seconds(4), seconds(2))).isEqualTo(new Stage.Forced(seconds(1)));
        assertThat(cancellationTimes.at(seconds(5), seconds(3))).isEqualTo(new Stage.Abandoned());
        assertThat(cancellationTimes.at(seconds(500), seconds(400))).isEqualTo(new Stage.Abandoned());
        assertThat(cancellationTimes.all()).isEqualTo(seconds(5));
    }

    @Test
    void whoeverLooksLateInterruptsItFirstAndGivesItItsFullTime() {
        CancellationTimes cancellationTimes = new CancellationTimes(seconds(2), seconds(3), POLLING);
        assertThat(cancellationTimes.at(seconds(500), null)).isEqualTo(new Stage.Forced(seconds(3)));
        assertThat(cancellationTimes.at(seconds(502), seconds(2))).isEqualTo(new Stage.Forced(seconds(1)));
        assertThat(cancellationTimes.at(seconds(503), seconds(3))).isEqualTo(new Stage.Abandoned());
    }

    @Test
    void withoutABackoffForceComesAtOnce() {
        assertThat(new CancellationTimes(Duration.ZERO, seconds(3), POLLING).at(Duration.ZERO, null))
                .isEqualTo(new Stage.Forced(seconds(3)));
    }

    @Test
    void withoutATimeoutItIsWaitedForForEver() {
        CancellationTimes cancellationTimes = new CancellationTimes(seconds(2), null, POLLING);
        assertThat(cancellationTimes.at(seconds(1), null)).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(cancellationTimes.at(seconds(2), null)).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(cancellationTimes.at(seconds(2_000_000), null)).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(cancellationTimes.all()).isEqualTo(seconds(2));
    }
}
