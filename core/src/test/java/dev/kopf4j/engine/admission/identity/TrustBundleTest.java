package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.admission.identity.AuthorityState.TrustBundle;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookAuthority;
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

    @Test
    @Tag("J32")
    void aNewerAuthorityThatAnotherReplicaHasAnnouncedStays() {
        WebhookAuthority options = WebhookAuthority.inSecret("ns", "name");
        AuthorityState old = AuthorityState.fresh(options, START);
        AuthorityState state =
                old.step(options, START.plus(Duration.ofDays(275))).orElseThrow();
        Instant later = START.plus(Duration.ofDays(276));
        assertThat(TrustBundle.withShared(old.bundle(), state.bundle(), later)).isEqualTo(state.bundle());
        assertThat(TrustBundle.withShared(state.bundle(), old.bundle(), later)).isEqualTo(state.bundle());
        assertThat(TrustBundle.withShared(old.bundle(), "garbage", later)).isEqualTo(old.bundle());
        assertThat(TrustBundle.withShared("PEM", state.bundle(), later)).isEqualTo("PEM");
    }

    @Test
    @Tag("J32")
    void anOlderAuthorityStaysForTheFirstHourOfANewOne() {
        WebhookAuthority options = WebhookAuthority.inSecret("ns", "name");
        String old = AuthorityState.fresh(options, START).bundle();
        Instant made = START.plus(Duration.ofDays(1));
        String fresh = AuthorityState.fresh(options, made).bundle();
        assertThat(TrustBundle.withShared(fresh, old, made.plus(Duration.ofMinutes(59))))
                .isEqualTo(fresh + old);
        assertThat(TrustBundle.withShared(fresh, old, made.plus(Duration.ofMinutes(61))))
                .isEqualTo(fresh);
        assertThat(TrustBundle.withShared(fresh, "PEM", made)).isEqualTo(fresh);
    }
}
