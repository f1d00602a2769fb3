package dev.kopf4j.client.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.login.CredentialVault.RejectedCredentials;
import dev.kopf4j.client.login.CredentialVault.UsableCredentials.CredentialSnapshot;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which credentials are remembered as rejected. Tests {@link RejectedCredentials}. */
@Tag("G11")
class RejectedCredentialsTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.EPOCH);
    private final RejectedCredentials rejected = new RejectedCredentials(platform);

    private static CredentialSnapshot token(int number) {
        return CredentialSnapshot.of(ConnectionInfo.builder("https://example.com")
                .token("token " + number)
                .build());
    }

    @Test
    void theLastThreeOfEachLoginAreRemembered() {
        for (int number = 1; number <= 4; number++) {
            rejected.add("a", token(number));
        }
        rejected.add("b", token(5));
        assertThat(rejected.contains("a", token(1))).isFalse();
        for (int number = 2; number <= 4; number++) {
            assertThat(rejected.contains("a", token(number))).isTrue();
        }
        assertThat(rejected.contains("a", token(5))).isFalse();
        assertThat(rejected.contains("b", token(5))).isTrue();
        assertThat(rejected.contains("c", token(5))).isFalse();
    }

    private void assertRefusedFor(int seconds) {
        rejected.add("a", token(1));
        platform.runFor(Duration.ofSeconds(seconds).minusMillis(1));
        assertThat(rejected.contains("a", token(1))).isTrue();
        platform.runFor(Duration.ofMillis(1));
        assertThat(rejected.contains("a", token(1))).isFalse();
        assertThat(rejected.remembers("a", token(1))).isTrue();
    }

    @Test
    void theyAreRefusedForLongerEachTimeThatTheyAreRejectedAgain() {
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            assertRefusedFor(seconds);
        }
        rejected.add("a", token(2));
        assertThat(rejected.contains("a", token(2))).isTrue();
        platform.runFor(Duration.ofMinutes(1));
        assertRefusedFor(1);
    }
}
