package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.admission.server.Replicas.Replica;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.WebhookCertificate;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that somebody else ought to renew, in simulated time. */
@Tag("J37")
class EndingCertificateTest {
    private static final Duration VALID = Duration.ofDays(365);

    @TempDir
    private Path folder;

    private void keep(Instant end) throws IOException {
        WebhookCertificate made = WebhookCertificate.build(List.of("hooks.ns.svc"), null, end.minus(VALID));
        Files.writeString(folder.resolve("tls.crt"), made.certificatePem());
        Files.writeString(folder.resolve("tls.key"), made.keyPem());
    }

    @Test
    void isToldBeforeItEndsAndKeepsTheReplicaFromBeingAskedOnceItHas() throws Exception {
        keep(Scenario.START.plus(Duration.ofHours(80)));
        Replicas replicas = new Replicas(
                0, WebhookServer.local().service("ns", "hooks", 443).certificateFolder(folder));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            Replica replica = replicas.new Replica("one");
            replicas.world.runFor(Duration.ofHours(7));
            assertThat(log.lines(Level.WARN)).isEmpty();
            replicas.world.runFor(Duration.ofHours(2));
            assertThat(log.lines(Level.WARN)).hasSize(1).first().asString().contains("ends at", "nobody has renewed");
            assertThat(replica.isReady()).isTrue();
            replicas.world.runFor(Duration.ofHours(73));
            assertThat(log.lines(Level.WARN)).last().asString().contains("has expired at");
            assertThat(replica.isReady()).isFalse();
            assertThat(replica.state().troubles().toString()).contains("its certificate has expired at");

            keep(Scenario.START.plus(VALID));
            replicas.world.runFor(Duration.ofMinutes(5));
            assertThat(replica.isReady()).isTrue();
        }
    }

    /** The API server is told of the new authority first: but the old certificate is of no use after its end. */
    @Test
    void isReplacedAtItsEndThoughTheConfigurationCannotBeWritten() throws Exception {
        Instant end = Scenario.START.plus(Duration.ofHours(2));
        keep(end);
        Replicas replicas = new Replicas(
                0, WebhookServer.local().service("ns", "hooks", 443).certificateFolder(folder));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            Replica replica = replicas.new Replica("one");
            replicas.world.runFor(Duration.ofMinutes(30));
            replicas.trouble(refusingConfigurations());
            keep(Scenario.START.plus(VALID));
            replicas.world.runFor(Duration.ofMinutes(80));
            assertThat(replica.shown).hasSize(1);
            assertThat(replica.isReady()).isTrue();
            replicas.world.runFor(Duration.ofMinutes(30));
            assertThat(replica.shown).hasSize(2);
            assertThat(replica.isReady()).isFalse();
            assertThat(replica.state().troubles().toString()).contains("could not be told", "new certificate");
            assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("K4-012"));

            replicas.trouble(TinyCluster.Faults.NONE);
            replicas.world.runFor(Duration.ofMinutes(30));
            assertThat(replica.isReady()).isTrue();
            assertThat(replica.shown).hasSize(2);
            replicas.check("the configuration is written");
            assertThat(replicas.violations).isEmpty();
        }
    }

    /** Clients take a moment to hear of the new authority; the old certificate may not have it. */
    @Test
    void isReplacedAtItsEndThoughTheConfigurationWasWrittenJustBefore() throws Exception {
        Instant end = Scenario.START.plus(Duration.ofHours(2)).plusSeconds(2); // a moment after a check
        keep(end);
        Replicas replicas = new Replicas(
                0, WebhookServer.local().service("ns", "hooks", 443).certificateFolder(folder));
        Replica replica = replicas.new Replica("one");
        replicas.world.runFor(Duration.ofMinutes(119).plusSeconds(30));
        assertThat(replica.shown).hasSize(1);
        keep(Scenario.START.plus(VALID));
        while (replica.shown.size() == 1 && replicas.world.now().isBefore(end.plusSeconds(10))) {
            replicas.world.runFor(Duration.ofMillis(500));
        }
        assertThat(replica.shown).hasSize(2);
        assertThat(replicas.world.now()).isBefore(end.plusSeconds(1));
    }

    private static TinyCluster.Faults refusingConfigurations() {
        return new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains(Replicas.VALIDATING)
                                && !request.method().equals("GET")
                        ? TinyCluster.status(500, "InternalError", "no room is left")
                        : null;
            }
        };
    }

    /** The clock of its maker was ahead, or that of this machine is behind: nobody here knows which. */
    @Test
    void isToldWhileItIsNotValidYet() throws Exception {
        keep(Scenario.START.plus(Duration.ofDays(2)).plus(VALID));
        Replicas replicas = new Replicas(
                0, WebhookServer.local().service("ns", "hooks", 443).certificateFolder(folder));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            Replica replica = replicas.new Replica("one");
            replicas.world.runFor(Duration.ofHours(1));
            assertThat(replica.isReady()).isTrue();
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("is not valid before");
            replicas.world.runFor(Duration.ofDays(3));
            assertThat(log.lines(Level.WARN))
                    .hasSizeLessThan(10)
                    .last()
                    .asString()
                    .contains("is not valid before");
        }
    }

    /** The file is for others; that the disk is full is no reason to serve nobody. */
    @Test
    @Tag("J13")
    void isReplacedThoughItsAuthorityCannotBeWrittenIntoTheFileForClients() throws Exception {
        keep(Scenario.START.plus(VALID.dividedBy(2)));
        Path dump = folder.resolve("dump.pem");
        Replicas replicas = new Replicas(
                0,
                WebhookServer.local()
                        .service("ns", "hooks", 443)
                        .certificateFolder(folder)
                        .caDump(dump));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            Replica replica = replicas.start("one");
            replicas.runFor(Duration.ofMinutes(3));
            assertThat(dump).hasContent(Files.readString(folder.resolve("tls.crt")));

            Files.delete(dump);
            Files.createDirectory(dump);
            keep(Scenario.START.plus(VALID));
            replicas.runFor(Duration.ofMinutes(20));
            assertThat(replica.handle.hasEnded()).isFalse();
            assertThat(replica.isReady()).isTrue();
            assertThat(replica.shown).hasSize(2);
            assertThat(replicas.trusted()).contains(replica.shown.getLast());
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("K4-026", dump.toString());

            Files.delete(dump);
            replicas.runFor(Duration.ofMinutes(2));
            assertThat(dump).hasContent(Files.readString(folder.resolve("tls.crt")));
        }
    }

    /** Behind the certificate stands an old one of its issuer, which the API server does not need. */
    @Test
    void ofAnIssuerIsToldAndKeepsNobodyFromBeingAsked() throws Exception {
        keep(Scenario.START.minus(Duration.ofDays(1)));
        String old = Files.readString(folder.resolve("tls.crt"));
        keep(Scenario.START.plus(VALID));
        Files.writeString(folder.resolve("tls.crt"), old, StandardOpenOption.APPEND);
        Replicas replicas = new Replicas(
                0, WebhookServer.local().service("ns", "hooks", 443).certificateFolder(folder));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            Replica replica = replicas.new Replica("one");
            replicas.world.runFor(Duration.ofHours(1));
            assertThat(replica.isReady()).isTrue();
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("issuer that has expired at");
        }
    }
}
