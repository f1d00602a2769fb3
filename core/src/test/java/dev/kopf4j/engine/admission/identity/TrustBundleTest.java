package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.admission.identity.AuthorityState.TrustBundle;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TrustBundleTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    @Tag("J14")
    void aBundleOfBothHasTheNewOneAndTheOldOne() throws Exception {
        SimulatedPlatform world = new SimulatedPlatform(0, START);
        ServerIdentities identities = new ServerIdentities(world, NoSecrets.INSTANCE, WebhookServer.local());
        String first = identities.current().caPem();
        world.runFor(Duration.ofDays(360));
        String second = identities.renewed().orElseThrow().caPem();
        assertThat(TrustBundle.union(second, first)).isEqualTo(second + first);
        assertThat(TrustBundle.union(first, first)).isEqualTo(first);
        assertThat(TrustBundle.union(second + first, first)).isEqualTo(second + first);
        assertThat(TrustBundle.union(null, first)).isNull();
        assertThat(TrustBundle.union(first, null)).isNull();
    }
}
