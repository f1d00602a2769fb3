package dev.kopf4j.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests {@link TransportRequest}. */
class TransportRequestTest {
    /** These tests run on a class path, with class folders. */
    @Test
    void theVersionIsKnownHoweverTheClassesAreLoaded() {
        assertThat(TransportRequest.USER_AGENT).matches("kopf4j/\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");
    }
}
