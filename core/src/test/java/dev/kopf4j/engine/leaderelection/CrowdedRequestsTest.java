package dev.kopf4j.engine.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hundreds of slow requests wait for their turn; what must be said in time is said in time all the same. */
class CrowdedRequestsTest {
    private static final int OBJECTS = 1000;
    private static final Duration PATCH = Duration.ofSeconds(2);

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final SimulatedPlatform machine = world.machine("one");
    private final Set<String> unhindered = new TreeSet<>();
    private final Platform threads = new ForwardingPlatform(machine) {
        @Override
        public Task spawnUnhindered(String name, Runnable body) {
            unhindered.add(name);
            return super.spawnUnhindered(name, body);
        }
    };
    private final AtomicInteger most = new AtomicInteger();
    private int waiting;

    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false)
            .serving("coordination.k8s.io", "leases", "Lease", true);

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j");

    private static void choose(OperatorSettings settings, String membership) {
        switch (membership) {
            case "leader" -> settings.leaderElection().enabled(true);
            case "member" -> settings.sharding().shards(8);
            default -> settings.peering().lifetime(Duration.ofSeconds(20));
        }
    }

    /** As the real one limits requests. */
    private final class LimitedTransport implements Transport {
        private final Transport unlimited = cluster.transport("one", machine);
        private final ConcurrencyLimit limit =
                new ConcurrencyLimit(machine, NetworkSettings.DEFAULTS.requestsInFlight());

        @Override
        public TransportResponse send(TransportRequest request, Deadline deadline)
                throws IOException, InterruptedException {
            if (request.urgent()) {
                return unlimited.send(request, deadline);
            }
            most.accumulateAndGet(++waiting, Math::max);
            boolean permitted = limit.acquire(deadline);
            waiting--;
            if (!permitted) {
                throw new RequestTimeoutException("no free connection");
            }
            try {
                machine.sleep(request.method().equals("PATCH") ? PATCH : Duration.ZERO);
                return unlimited.send(request, deadline);
            } finally {
                limit.release();
            }
        }

        @Override
        public ResponseStream open(TransportRequest request, Deadline headersBy)
                throws IOException, InterruptedException {
            return unlimited.open(request, headersBy);
        }

        @Override
        public void close() {
            unlimited.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"leader, leader election", "member, shard group", "peer,"})
    void leasesAndSignsOfLifeWaitForNoOtherRequest(String membership, @Nullable String thread) {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        for (int i = 0; i < OBJECTS; i++) {
            cluster.put("kopfexamples", "ns", "x" + i, "{'spec':{}}");
        }
        SimulatedOperator.start(
                threads,
                new LimitedTransport(),
                builder -> builder.clusterwide()
                        .settings(settings -> choose(settings, membership))
                        .onTimer(
                                "kopfexamples",
                                "tick",
                                options -> options.interval(Duration.ofSeconds(10)),
                                context -> Map.of("at", machine.now().toString())));
        world.runFor(Duration.ofMinutes(3));
        assertThat(most).hasValueGreaterThan(OBJECTS / 2);
        assertThat(log.lines(Level.WARN))
                .noneMatch(line -> line.contains("lease") || line.contains("Keep-alive") || line.contains("K4-009"));
        assertThat(unhindered)
                .as("threads of the machine, each of which takes memory")
                .isEqualTo(thread == null ? Set.of("operator") : Set.of("operator", thread));
    }
}
