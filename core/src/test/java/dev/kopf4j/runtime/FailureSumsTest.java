package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.runtime.FailureSums.Telling;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log gets of failures that come again and again. */
class FailureSumsTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2026-01-01T00:00:00Z"));
    private final FailureSums sums = new FailureSums(platform, 2);

    /** What was told of failures that come at that distance, with the times that it covers. */
    private List<Telling> told(int times, Duration apart) {
        List<Telling> told = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Telling telling = sums.failed();
            if (!(telling instanceof Telling.Later)) {
                told.add(telling);
            }
            platform.runFor(apart);
        }
        return told;
    }

    @Test
    void theFirstOnesAreToldByThemselvesThenSumsAtGrowingIntervals() {
        assertThat(told(600, Duration.ofSeconds(1)))
                .containsExactly(
                        new Telling.ByItself(),
                        new Telling.ByItself(),
                        new Telling.InSum(59, Duration.ofMinutes(1)),
                        new Telling.InSum(120, Duration.ofMinutes(2)),
                        new Telling.InSum(240, Duration.ofMinutes(4)));
        platform.runFor(Duration.ofMinutes(1));
        assertThat(sums.succeeded()).isEqualTo(600);
    }

    @Test
    void whatFailsAtOnePlaceForHoursHidesNoOutage() {
        var _ = told(100, Duration.ofSeconds(50));
        List<Telling> outage = told(900, Duration.ofMillis(100));
        assertThat(outage).first().isInstanceOf(Telling.InSum.class);
        assertThat(told(1300, Duration.ofMillis(100))).as("two minutes later").isNotEmpty();
    }
}
