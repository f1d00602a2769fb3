package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.daemon.StoppingStages.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link StoppingStages}: what is done to a daemon that has to stop, and when. */
@Tag("E06")
@Tag("L21")
class StoppingStagesTest {
    private static final Duration POLLING = Duration.ofMinutes(1);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void askedThenForcedThenAbandoned() {
        StoppingStages stoppingStages = new StoppingStages(seconds(2), seconds(3), POLLING);
        assertThat(stoppingStages.at(Duration.ZERO)).isEqualTo(new Stage.Asked(seconds(2)));
        assertThat(stoppingStages.at(seconds(1))).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(stoppingStages.at(seconds(2))).isEqualTo(new Stage.Forced(seconds(3)));
        assertThat(stoppingStages.at(seconds(4))).isEqualTo(new Stage.Forced(seconds(1)));
        assertThat(stoppingStages.at(seconds(5))).isEqualTo(new Stage.Abandoned());
        assertThat(stoppingStages.at(seconds(500))).isEqualTo(new Stage.Abandoned());
        assertThat(stoppingStages.all()).isEqualTo(seconds(5));
    }

    @Test
    void withoutABackoffForceComesAtOnce() {
        assertThat(new StoppingStages(Duration.ZERO, seconds(3), POLLING).at(Duration.ZERO))
                .isEqualTo(new Stage.Forced(seconds(3)));
    }

    @Test
    void withoutATimeoutItIsWaitedForForEver() {
        StoppingStages stoppingStages = new StoppingStages(seconds(2), null, POLLING);
        assertThat(stoppingStages.at(seconds(1))).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(stoppingStages.at(seconds(2))).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(stoppingStages.at(seconds(2_000_000))).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(stoppingStages.all()).isEqualTo(seconds(2));
    }
}
