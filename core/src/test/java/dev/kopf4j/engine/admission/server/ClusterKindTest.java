package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.webhook.AutoWebhookServer;
import dev.kopf4j.webhook.NgrokTunnel;
import dev.kopf4j.webhook.WebhookServer;
import java.net.URI;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterKindTest {
    /** Certificates that openssl has made, with the names that such clusters are known by. */
    private static X509Certificate certificate(String name) throws Exception {
        try (var file = ClusterKindTest.class.getResourceAsStream(name + ".pem")) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
        }
    }

    @ParameterizedTest
    @Tag("J19")
    @CsvSource({
        "k3s-by-organization,  K3D", // O=k3s, CN=k3s; signed by k3s-server-ca@1700000000
        "k3s-by-issuer,        K3D", // CN=other; signed by k3s-server-ca@1700000000
        "minikube-by-name,     MINIKUBE", // O=system:masters, CN=minikube
        "minikube-by-issuer,   MINIKUBE", // CN=other; signed by minikubeCA
        "docker-desktop,       DOCKER_DESKTOP", // CN=kube-apiserver, among others for docker-for-desktop
        "kubeadm,              OTHER" // CN=kube-apiserver; signed by kubernetes
    })
    void theCertificateOfTheServerTells(String name, ClusterKind kind) throws Exception {
        assertThat(ClusterKind.byCertificate(certificate(name))).isEqualTo(kind);
        assertThat(ClusterKind.of(ServerBench.identity(certificate(name), "v1.33.0")))
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @Tag("J19")
    @CsvSource({"v1.33.0+k3s1, K3D", "v1.33.0, OTHER", "'', OTHER"})
    void otherwiseTheVersionTells(String version, ClusterKind kind) throws Exception {
        assertThat(ClusterKind.of(ServerBench.identity(null, version))).isEqualTo(kind);
        assertThat(ClusterKind.of(ServerBench.identity(certificate("kubeadm"), version)))
                .isEqualTo(kind);
    }

    @Test
    @Tag("J19")
    void whatIsNotRecognisedFallsBack() {
        AutoWebhookServer auto = WebhookServer.auto();
        assertThat(ClusterKind.OTHER.serverOf(auto)).isEqualTo(WebhookServer.local());
        assertThat(ClusterKind.MINIKUBE.serverOf(auto)).isEqualTo(WebhookServer.minikube());
        assertThat(ClusterKind.OTHER.serverOf(WebhookServer.autoTunnel())).isInstanceOf(NgrokTunnel.class);
        assertThat(ClusterKind.K3D.serverOf(WebhookServer.autoTunnel())).isEqualTo(WebhookServer.k3d());
    }

    @Test
    @Tag("J19")
    void optionsArePartOfTheChoice() {
        AutoWebhookServer auto =
                WebhookServer.auto().server(WebhookServer.local().port(9443));
        assertThat(ClusterKind.OTHER.serverOf(auto))
                .isEqualTo(WebhookServer.local().port(9443));
        assertThat(ClusterKind.K3D.serverOf(auto)).isEqualTo(WebhookServer.k3d().port(9443));
        AutoWebhookServer named = auto.server(WebhookServer.local().host("mine"));
        assertThat(ClusterKind.K3D.serverOf(named))
                .isEqualTo(WebhookServer.local().host("mine"));
    }

    @Test
    @Tag("J19")
    void theChosenServerServes() throws Exception {
        AutoWebhookServer auto =
                WebhookServer.auto().server(WebhookServer.local().insecure());
        try (ServerBench bench = new ServerBench(auto, ServerBench.identity(null, "v1+k3s1"), ServerBench::echo)) {
            assertThat(ServerBench.url(bench.nextConfig())).startsWith("http://host.k3d.internal:");
        }
    }

    /** Asked as the operator asks it. */
    @Test
    @Tag("J19")
    void theCertificateIsTheOneThatAServerShows() throws Exception {
        try (ServerBench bench = new ServerBench(WebhookServer.local().address("127.0.0.1"), ServerBench::echo)) {
            var config = bench.nextConfig();
            assertThat(TlsContext.shownBy(URI.create(ServerBench.url(config)), Duration.ofSeconds(60)))
                    .contains(PemReader.certificates(
                                    "authority", config.caBundle().orElseThrow())
                            .getFirst());
        }
        assertThat(TlsContext.shownBy(URI.create("http://127.0.0.1:1"), Duration.ofSeconds(60)))
                .isEmpty();
    }
}
