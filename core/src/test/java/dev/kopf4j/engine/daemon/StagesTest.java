package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.daemon.Stages.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E06")
@Tag("L21")
class StagesTest {
    private static final Duration POLLING = Duration.ofMinutes(1);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void askedThenForcedThenAbandoned() {
        Stages stages = new Stages(seconds(2), seconds(3), POLLING);
        assertThat(stages.at(Duration.ZERO)).isEqualTo(new Stage.Asked(seconds(2)));
        assertThat(stages.at(seconds(1))).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(stages.at(seconds(2))).isEqualTo(new Stage.Forced(seconds(3)));
        assertThat(stages.at(seconds(4))).isEqualTo(new Stage.Forced(seconds(1)));
        assertThat(stages.at(seconds(5))).isEqualTo(new Stage.Abandoned());
        assertThat(stages.at(seconds(500))).isEqualTo(new Stage.Abandoned());
        assertThat(stages.all()).isEqualTo(seconds(5));
    }

    @Test
    void withoutABackoffForceComesAtOnce() {
        assertThat(new Stages(Duration.ZERO, seconds(3), POLLING).at(Duration.ZERO))
                .isEqualTo(new Stage.Forced(seconds(3)));
    }

    @Test
    void withoutATimeoutItIsWaitedForForEver() {
        Stages stages = new Stages(seconds(2), null, POLLING);
        assertThat(stages.at(seconds(1))).isEqualTo(new Stage.Asked(seconds(1)));
        assertThat(stages.at(seconds(2))).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(stages.at(seconds(2_000_000))).isEqualTo(new Stage.Awaited(POLLING));
        assertThat(stages.all()).isEqualTo(seconds(2));
    }
}
