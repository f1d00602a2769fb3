package dev.kopf4j.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Entries of schedules are counted. Tests {@code LiveObjects}. */
class LiveObjectsTest {
    private final Platform platform = new SystemPlatform();

    @Test
    void entriesThatWaitAreCountedAndFewOfThoseThatWereCancelled() {
        long before = LiveObjects.here().scheduled();
        try (ActionSchedule schedule = new ActionSchedule(platform, "test")) {
            for (int i = 0; i < 50; i++) {
                schedule.after(Duration.ofHours(1), () -> {});
            }
            assertThat(LiveObjects.here().scheduled() - before).isEqualTo(50);
            for (int i = 0; i < 1000; i++) {
                schedule.after(Duration.ofHours(1), () -> {}).cancel();
            }
            assertThat(LiveObjects.here().scheduled() - before).isBetween(50L, 50L + 65);
        }
    }

    @Test
    void theSumAndTheFrameworksClassesAreReadFromTheHistogram() {
        assertThat(LiveObjects.of("""
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:          100           4000  [B (java.base@25)
                   2:            7            224  dev.kopf4j.runtime.ActionSchedule$ScheduledAction
                   3:            5            160  dev.kopf4j.engine.queueing.ObjectQueue
                   4:            9            160  dev.kopf4j.devcluster.storage.Store
                Total          121           4544
                """)).isEqualTo(new LiveObjects(4544, 12, 7));
    }
}
