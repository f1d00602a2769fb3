package dev.kopf4j.engine.peering;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
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
        assertThat(ofPod()).isEqualTo("pod-1");
        PeerIdentity.release("pod-1");
    }

    private static String ofPod() {
        return PeerIdentity.ofOperator(Map.of("POD_ID", "pod-1"), NOW, new Random(0));
    }

    /** They would take the record of the others for their own, and act beside them. */
    @Test
    void operatorsOfOneProcessHaveNamesOfTheirOwn() {
        assertThat(List.of(ofPod(), ofPod(), ofPod())).containsExactly("pod-1", "pod-1/2", "pod-1/3");
        PeerIdentity.release("pod-1");
        assertThat(ofPod()).as("it is free again").isEqualTo("pod-1");
        List.of("pod-1", "pod-1/2", "pod-1/3").forEach(PeerIdentity::release);
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
