package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.Operator;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operators whose credentials live for a few seconds. Tests {@code CredentialVault} below a running operator. */
class ShortLivedCredentialsTest {
    private static final String NO_LOGIN = "the identity provider is down";
    private static final Duration LIFE = Duration.ofSeconds(5);

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster().serving("kopf.dev", "kopfexamples", "KopfExample", true);
    private final Map<String, Instant> valid = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final SimulatedPlatform machine = world.machine("me");
    private boolean loginsFail;
    private int logins;

    /** A login that gives a new token each time. */
    private ConnectionInfo login(boolean toldWhen) throws InterruptedException {
        machine.sleep(Duration.ofMillis(300));
        if (loginsFail) {
            throw new NoCredentialsException(NO_LOGIN);
        }
        String token = "token-" + ++logins;
        Instant end = world.now().plus(LIFE);
        valid.put(token, end);
        ConnectionInfo.Builder info =
                ConnectionInfo.builder("https://cluster.example").token(token);
        return toldWhen ? info.expiration(end).build() : info.build();
    }

    /** What is behind one token. */
    private Transport transport(ConnectionInfo info) {
        Transport direct = cluster.transport("me", machine);
        return new Transport() {
            private boolean accepted() {
                return world.now().isBefore(Objects.requireNonNull(valid.get(info.token())));
            }

            @Override
            public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                return accepted()
                        ? direct.send(transportRequest, deadline)
                        : TinyCluster.status(401, "Unauthorized", "expired");
            }

            @Override
            public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                    throws IOException, InterruptedException {
                return accepted() ? direct.open(transportRequest, headersBy) : refused();
            }

            private ResponseStream refused() {
                TransportResponse transportResponse = TinyCluster.status(401, "Unauthorized", "expired");
                var stream = new dev.kopf4j.client.transport.PushedResponseStream(
                        machine, 401, Map.of(), dev.kopf4j.client.transport.PushedResponseStream.ChunkProducer.NONE);
                stream.feed(java.nio.ByteBuffer.wrap(transportResponse.body()));
                stream.end();
                return stream;
            }

            @Override
            public void close() {
                direct.close();
            }
        };
    }

    private void start(boolean toldWhen) {
        CredentialSource source = () -> Map.of("login", login(toldWhen));
        ClusterAccess access = new ClusterAccess() {
            @Override
            public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
                return new CredentialVault(platform, source, ShortLivedCredentialsTest.this::transport);
            }

            @Override
            public ConnectionInfo info(NetworkSettings settings) {
                throw new UnsupportedOperationException("there is no other client");
            }

            @Override
            public Logins logins() {
                return new FakeClusterAccess(cluster.transport("me", machine)).logins();
            }

            @Override
            public ClusterAccess with(CredentialSource other) {
                throw new UnsupportedOperationException("there are no login handlers");
            }
        };
        OperatorAssembly.assemble(
                        OperatorPlan.of(Operator.builder()
                                .clusterwide()
                                .onCreate("kopfexamples", "cre", context -> calls.add(context.name()))),
                        new OperatorEnvironment(machine, access))
                .start();
        world.runFor(Duration.ofSeconds(3));
    }

    private void live(int seconds) {
        for (int i = 0; i < seconds; i++) {
            cluster.put("kopfexamples", "ns", "x" + calls.size() + "-" + i, "{'spec':{}}");
            world.runFor(Duration.ofSeconds(1));
        }
    }

    private void assertThatNothingWasLost(int created, int seconds) {
        assertThat(calls).hasSize(created).doesNotHaveDuplicates();
        assertThat(cluster.lists("kopfexamples")).as("streams that died").isEqualTo(1);
        assertThat(logins).as("logins").isLessThanOrEqualTo((int) (seconds / LIFE.toSeconds()) + 2);
    }

    @Test
    @Tag("G12")
    void credentialsThatExpireAreRenewedInTime() {
        start(true);
        live(300);
        assertThatNothingWasLost(300, 303);
    }

    @Test
    @Tag("G13")
    void credentialsThatTheServerDoesNotAcceptAnyMoreAreReplacedWithoutLosingAnything() {
        start(false);
        live(300);
        assertThatNothingWasLost(300, 303);
    }

    @Test
    @Tag("G13")
    void operatorsWithoutCredentialsForAWhileGoOnAfterwards() {
        start(false);
        live(10);
        loginsFail = true;
        live(120);
        loginsFail = false;
        world.runFor(Duration.ofMinutes(15));
        assertThat(calls).hasSize(130).doesNotHaveDuplicates();
    }

    @Test
    @Tag("G13")
    void loginsThatFailAreToldOnceForAllStreams() {
        try (LoggerCapture logins = new LoggerCapture("kopf4j.activities.authentication");
                LoggerCapture client = new LoggerCapture("kopf4j.client")) {
            start(false);
            live(10);
            loginsFail = true;
            live(120);
            assertThat(logins.lines(Level.WARN)).isNotEmpty().allMatch(line -> line.contains(NO_LOGIN));
            assertThat(client.lines(Level.DEBUG)).anyMatch(line -> line.contains(NO_LOGIN));
            assertThat(client.lines(Level.INFO)).noneMatch(line -> line.contains(NO_LOGIN));
        }
    }

    @Test
    @Tag("G13")
    void aFirstLoginThatFailsIsLeftToWhoeverStartsTheOperator() {
        try (LoggerCapture logins = new LoggerCapture("kopf4j.activities.authentication")) {
            loginsFail = true;
            start(false);
            assertThat(logins.lines(Level.DEBUG)).anyMatch(line -> line.contains(NO_LOGIN));
            assertThat(logins.lines(Level.WARN)).isEmpty();
        }
    }
}
