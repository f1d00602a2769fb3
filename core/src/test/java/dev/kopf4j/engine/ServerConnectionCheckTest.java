package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/**
 * What people are told whose operator cannot reach the API server at its start: tests {@link ServerConnectionCheck}.
 */
class ServerConnectionCheckTest {
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

    private final SimulatedPlatform platform = new SimulatedPlatform(0, START);

    /** Takes requests, and keeps silent. */
    private final class Silence implements Transport {
        @Override
        public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                throws IOException, InterruptedException {
            platform.monitor().await(Optional::empty, deadline);
            throw new RequestTimeoutException("no answer in time");
        }

        @Override
        public ResponseStream open(TransportRequest transportRequest, Deadline headersBy) {
            throw new AssertionError("no stream is wanted yet: " + transportRequest);
        }

        @Override
        public void close() {}
    }

    private void meet(ScriptedTransport.Script server) throws InterruptedException {
        meet(new ScriptedTransport(platform).answering(server));
    }

    private void meet(Transport transport) throws InterruptedException {
        ServerConnectionCheck.make(new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS));
    }

    @Test
    void serversThatNeverAnswerAreGivenUpWithinAMinute() {
        assertThatThrownBy(() -> meet(new Silence()))
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("cannot be reached")
                .hasMessageContaining("no answer in time")
                .hasMessageContaining("--devcluster");
        assertThat(Duration.between(START, platform.now())).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void expiredCertificatesOfServersAreNotTakenForClustersThatAreDown() {
        assertThatThrownBy(() -> meet(transportRequest -> {
                    SSLHandshakeException refused = new SSLHandshakeException("PKIX path validation failed");
                    refused.initCause(new CertPathValidatorException(
                            "validity check failed", new CertificateExpiredException("NotAfter: yesterday")));
                    throw refused;
                }))
                .hasMessageContaining("has expired (NotAfter: yesterday)")
                .hasMessageContaining("Renew it there, or check the clock of this machine.")
                .hasMessageNotContaining("is up");
    }

    @Test
    void otherTroubleWithCertificatesIsToldAsSuch() {
        assertThatThrownBy(() -> meet(transportRequest -> {
                    throw new SSLHandshakeException("unable to find valid certification path");
                }))
                .hasMessageContaining("no secure connection")
                .hasMessageContaining("certificate authority")
                .hasMessageNotContaining("is up");
    }
}
