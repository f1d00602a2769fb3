package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On which threads users' functions run in real life. Tests {@link HandlerRunner} and {@link SystemPlatform}. */
class HandlerThreadsTest {
    private final SystemPlatform platform = new SystemPlatform();
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final BlockingQueue<String> threads = new LinkedBlockingQueue<>();
    private final Set<Thread> known = new HashSet<>();

    private synchronized Object note(String what) {
        boolean another = known.add(Thread.currentThread());
        threads.add(what + (Thread.currentThread().isVirtual() ? " virtual" : " platform") + (another ? "" : " again"));
        return "noted";
    }

    private void assertNoted(String... calls) throws InterruptedException {
        Set<String> noted = new HashSet<>();
        while (noted.size() < calls.length) {
            String next = threads.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("another call besides %s", noted).isNotNull();
            noted.add(next);
        }
        assertThat(noted).containsExactlyInAnyOrder(calls);
    }

    @Test
    @Tag("C38")
    void eachCallHasAVirtualThreadOfItsOwn() throws InterruptedException {
        server.create(Scenario.example());
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                server,
                builder -> builder.onStartup("startup", context -> note("startup"))
                        .onProbe("probe", context -> note("probe"))
                        .onCreate("kex", "create", context -> note("create"))
                        .onCreate("kex", "another", context -> note("another"))
                        .onDaemon("kex", "daemon", context -> note("daemon"))
                        .onTimer("kex", "timer", h -> h.interval(Duration.ofHours(1)), context -> note("timer")))) {
            assertThat(operator.awaitReady(Duration.ofSeconds(30))).isTrue();
            assertNoted("startup virtual", "create virtual", "another virtual", "daemon virtual", "timer virtual");
            assertThat(operator.probe()).containsKey("probe");
            assertNoted("probe virtual");
        }
    }
}
