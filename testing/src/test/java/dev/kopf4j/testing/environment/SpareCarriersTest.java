package dev.kopf4j.testing.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L49")
class SpareCarriersTest {
    /** How many threads of the JVM carry virtual threads. */
    private static int count() throws JMException {
        return (int) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("jdk.management:type=VirtualThreadScheduler"), "Parallelism");
    }

    @Test
    void endlessLoopsLeaveOneForOthers() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> loops = new ArrayList<>();
        try {
            for (int i = count(); i > 0; i--) {
                loops.add(Thread.ofVirtual().start(() -> {
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                }));
            }
            SpareCarriers.addIfNoneIsFree();
            assertThat(Thread.ofVirtual().start(() -> {}).join(Duration.ofSeconds(30)))
                    .isTrue();
        } finally {
            over.set(true);
        }
        for (Thread each : loops) {
            each.join();
        }
    }
}
