package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.admission.server.JumpingPlatform;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests {@link SteadyPlatform}: its clock follows the monotonic one, whatever the wall clock does. */
class SteadyPlatformTest {
    @Test
    void theClockFollowsTheMonotonicOne() {
        JumpingPlatform machine = new JumpingPlatform();
        SteadyPlatform steady = SteadyPlatform.of(machine);
        Instant begun = steady.now();
        machine.jump(Duration.ofHours(1));
        assertThat(Duration.between(begun, steady.now())).isBetween(Duration.ofHours(1), Duration.ofMinutes(70));
        assertThat(Duration.between(begun, machine.now())).isLessThan(Duration.ofMinutes(10));
    }
}
