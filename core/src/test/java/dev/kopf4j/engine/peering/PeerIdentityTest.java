package dev.kopf4j.engine.peering;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("H09")
class PeerIdentityTest {
    private static final Instant NOW = Instant.parse("2020-12-31T23:59:59.9Z");

    @Test
    void podsAreKnownByTheirId() {
        assertThat(PeerIdentity.ofOperator(Map.of("POD_ID", "pod-1"), NOW, new Random(0)))
                .isEqualTo("pod-1");
    }

    @Test
    void othersGetANameThatNobodyElseHas() {
        assertThat(PeerIdentity.ofOperator(Map.of("POD_ID", ""), NOW, new Random(0)))
                .matches("[^@/]+@[^@/]+/20201231235959/[a-fh-z0-9]{3}");
        assertThat(PeerIdentity.generated("me@host", NOW, new Random(1))).startsWith("me@host/20201231235959/");
    }

    @ParameterizedTest
    @CsvSource({
        "host.example.com, host, host.example.com",
        "host, host.example.com, host.example.com",
        "localhost, host, host",
        "127.0.0.1, host, host",
        "1.0.0.127.in-addr.arpa, host, host",
        "localhost.localdomain, host, host",
        "host.local, host, host",
        "host.localdomain, ::1, host",
        "localhost, 10.0.0.1, localhost"
    })
    void theMostTellingNameOfTheHostIsTaken(String canonical, String plain, String expected) {
        assertThat(PeerIdentity.descriptive(canonical, plain)).isEqualTo(expected);
    }
}
