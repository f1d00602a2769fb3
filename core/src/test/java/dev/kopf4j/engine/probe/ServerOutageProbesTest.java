package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the probes say while the API server accepts connections, but answers nothing, and while the operator cannot keep
 * up: readiness tells of it, liveness does not, since a restart would not help. In simulated time.
 */
@Tag("L53")
class ServerOutageProbesTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster().serving("kopf.dev", "kopfexamples", "KopfExample", true);
    private Supplier<OperatorState> state = () -> OperatorState.STARTING;
    private final OperatorSettings settings = new OperatorSettings();
    private boolean frozen;

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.reactor");

    @BeforeEach
    void freezeOnDemand() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                if (!world.monitor().awaitTrue(() -> !frozen, deadline)) {
                    throw new RequestTimeoutException("no answer in time");
                }
                return null;
            }
        });
    }

    private void start(Handler handler) {
        start(handler, new OperatorSettings().networking().objectTimeout());
    }

    private void start(Handler handler, Duration objectTimeout) {
        SimulatedPlatform machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> builder.clusterwide()
                        .metricsListener(new MetricsListener() {
                            @Override
                            public void observe(Supplier<OperatorState> observed) {
                                state = observed;
                            }
                        })
                        .settings(settings -> {
                            settings.queueing().workerLimit(50);
                            settings.networking().objectTimeout(objectTimeout);
                        })
                        .onCreate("kopfexamples", "create", handler));
        pass(5);
        assertThat(readiness().status()).isEqualTo(200);
        assertThat(liveness().status()).isEqualTo(200);
    }

    private void pass(long seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    /** The server has sent the events of these, and then nothing any more. */
    private void createAndFreeze(int objects) {
        frozen = true;
        for (int number = 0; number < objects; number++) {
            cluster.put("kopfexamples", "ns", "a" + number, "{'spec':{}}");
        }
        cluster.silenceWatches();
    }

    private ProbePage.Response readiness() {
        return new ReadinessPage(() -> state.get(), settings.watching().inactivityTimeout()).content();
    }

    private ProbePage.Response liveness() {
        try {
            return new LivenessPage(world, Map::of, () -> state.get(), LivenessPage.patience(settings), List::of)
                    .content();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Servers whose etcd reports no progress send no bookmarks of what nobody changes. */
    @Test
    @Tag("B08")
    void aServerThatHasNothingToSayIsNoTrouble() {
        start(context -> null);
        for (int seconds = 0; seconds < 300; seconds++) {
            pass(1);
            assertThat(readiness().status()).as("after " + seconds + " s").isEqualTo(200);
        }
        assertThat(log.lines(Level.INFO)).isEmpty();
        cluster.put("kopfexamples", "ns", "x", "{'spec':{}}");
        pass(1);
        assertThat(cluster.get("kopfexamples", "ns", "x").toString()).contains("last-handled");
    }

    @Test
    void readinessTellsOfASilentServerAlsoWhileTheBacklogIsFull() {
        // Longer than the patience with the stream: what waits for an answer lets no other event through.
        start(context -> null, Duration.ofMinutes(5));
        createAndFreeze(400);
        pass(60);
        assertThat(readiness().status()).as("nothing is wrong yet").isEqualTo(200);
        pass(20);
        assertThat(readiness().status()).isEqualTo(503);
        assertThat(readiness().text()).contains("200 events wait").contains("none was taken for 1m10s");
        assertThat(log.lines(Level.WARN))
                .filteredOn(line -> line.contains("200 events wait"))
                .hasSize(1);
        frozen = false;
        pass(400);
        assertThat(readiness().status()).isEqualTo(200);
        assertThat(log.lines(Level.INFO))
                .contains("info: The watch-stream for kopfexamples.v1.kopf.dev cluster-wide is not held up any more.");
    }

    @Test
    void readinessStaysRedWhileOneEventAfterTheOtherGetsThrough() {
        start(context -> {
            world.sleep(Duration.ofSeconds(world.random().nextInt(100, 2000)));
            return null;
        });
        for (int number = 0; number < 600; number++) {
            cluster.put("kopfexamples", "ns", "a" + number, "{'spec':{}}");
        }
        pass(100);
        for (int i = 0; i < 30; i++) {
            assertThat(readiness().status()).as("after %s", world.now()).isEqualTo(503);
            assertThat(liveness().status()).isEqualTo(200);
            pass(7);
        }
    }

    @Test
    void livenessDoesNotFailForAnOutageOfTheServer() {
        start(context -> null);
        createAndFreeze(400);
        for (int minute = 0; minute < 60; minute++) {
            pass(60);
            assertThat(liveness())
                    .as("minute %s", minute)
                    .isEqualTo(new ProbePage.Response(200, "application/json", "{}"));
        }
    }

    @Test
    void livenessDoesNotFailForAnOutageOfTheServerWithoutWork() {
        start(context -> null);
        createAndFreeze(0);
        pass(80);
        assertThat(readiness().status()).isEqualTo(503);
        for (int minute = 0; minute < 60; minute++) {
            pass(60);
            assertThat(liveness().status()).as("minute %s", minute).isEqualTo(200);
            assertThat(readiness().status()).isEqualTo(503);
        }
    }

    @Test
    void readinessTellsOfAServerThatDoesNotAnswerTheNextWatch() {
        start(context -> null);
        frozen = true;
        cluster.endWatches();
        pass(80);
        assertThat(readiness().status()).isEqualTo(503);
        assertThat(readiness().text()).contains("nothing was heard for 85 s");
        for (int minute = 0; minute < 60; minute++) {
            pass(60);
            assertThat(liveness().status()).as("minute %s", minute).isEqualTo(200);
            assertThat(readiness().status()).isEqualTo(503);
        }
        frozen = false;
        pass(60);
        assertThat(readiness().status()).isEqualTo(200);
    }
}
