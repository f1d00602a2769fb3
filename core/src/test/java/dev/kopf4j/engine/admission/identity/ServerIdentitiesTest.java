package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServerIdentitiesTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2026-01-01T00:00:00Z"));

    private static X509Certificate shown(ServerIdentity identity) throws Exception {
        return PemReader.certificates("authority", Objects.requireNonNull(identity.caPem()))
                .getFirst();
    }

    @Test
    @Tag("J14")
    void aSelfSignedCertificateIsReplacedAMonthBeforeItsEnd() throws Exception {
        ServerIdentities identities = new ServerIdentities(world, NoSecrets.INSTANCE, WebhookServer.k3d());
        ServerIdentity first = identities.current();
        assertThat(shown(first).getNotAfter().toInstant()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));

        world.runFor(Duration.ofDays(365 - 30));
        assertThat(identities.renewed()).isEmpty();
        world.runFor(Duration.ofSeconds(1));
        ServerIdentity second = identities.renewed().orElseThrow();
        assertThat(shown(second).getNotAfter().toInstant()).isEqualTo(Instant.parse("2027-12-02T00:00:01Z"));
        assertThat(shown(second).getSubjectX500Principal())
                .isEqualTo(shown(first).getSubjectX500Principal());
        assertThat(identities.renewed()).isEmpty();
    }

    @Test
    @Tag("J14")
    void aSelfSignedCertificateThatWasMadeByAClockInTheFutureIsReplaced() throws Exception {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(3));
        ForwardingPlatform platform = new ForwardingPlatform(world) {
            @Override
            public Instant now() {
                return super.now().plus(ahead.get());
            }
        };
        ServerIdentities identities = new ServerIdentities(platform, NoSecrets.INSTANCE, WebhookServer.k3d());
        ServerIdentity first = identities.current();
        ahead.set(Duration.ofHours(2));
        assertThat(identities.renewed()).as("clocks differ a little").isEmpty();
        ahead.set(Duration.ZERO);
        ServerIdentity second = identities.renewed().orElseThrow();
        assertThat(shown(first).getNotAfter().toInstant()).isEqualTo(Instant.parse("2027-01-01T03:00:00Z"));
        assertThat(shown(second).getNotAfter().toInstant()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(identities.renewed()).isEmpty();
    }

    @Test
    @Tag("J32")
    void replicasLookMoreThanOnceWhileAnAuthorityIsAnnounced() {
        var options = WebhookServer.local()
                .authority(WebhookAuthority.inSecret("ns", "name"))
                .fileCheckInterval(Duration.ofMinutes(30));
        assertThatThrownBy(() -> new ServerIdentities(world, NoSecrets.INSTANCE, options))
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("fileCheckInterval(...)");
    }
}
