package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookAddressTest {
    @ParameterizedTest
    @Tag("J13")
    @CsvSource(
            nullValues = "-",
            value = {
                "-,         -,            9443, '',     https://localhost:9443",
                "0.0.0.0,   -,            9443, '',     https://127.0.0.1:9443",
                "::,        -,            9443, '',     https://[::1]:9443",
                "::1,       -,            443,  '',     https://[::1]",
                "fd00::5,   -,            9443, hooks,  https://[fd00::5]:9443/hooks",
                "10.0.0.5,  -,            443,  '',     https://10.0.0.5",
                "10.0.0.5,  -,            80,   '',     https://10.0.0.5:80",
                "10.0.0.5,  example.com,  9443, /a/b/,  https://example.com:9443/a/b",
                "-,         '[::1]',      9443, '',     https://[::1]:9443"
            })
    void theUrlIsWhatClientsConnectTo(
            @Nullable String address, @Nullable String host, int port, String path, String url) {
        LocalWebhookServer server =
                WebhookServer.local().address(address).host(host).path(path);
        assertThat(WebhookAddress.clientConfig(server, port, null)).isEqualTo(WebhookClientConfig.url(url));
    }

    @Test
    @Tag("J16")
    void plainHttpHasItsOwnUsualPort() {
        LocalWebhookServer server = WebhookServer.local().insecure();
        assertThat(WebhookAddress.clientConfig(server, 80, null))
                .isEqualTo(WebhookClientConfig.url("http://localhost"));
        assertThat(WebhookAddress.clientConfig(server, 443, null))
                .isEqualTo(WebhookClientConfig.url("http://localhost:443"));
    }

    @Test
    @Tag("J17")
    void clustersOfDevelopersReachThisMachineByNamesOfTheirOwn() {
        assertThat(WebhookAddress.host(WebhookServer.k3d())).isEqualTo("host.k3d.internal");
        assertThat(WebhookAddress.host(WebhookServer.minikube())).isEqualTo("host.minikube.internal");
        assertThat(WebhookAddress.host(WebhookServer.dockerDesktop())).isEqualTo("host.docker.internal");
        assertThat(WebhookAddress.host(WebhookServer.k3d().host("other"))).isEqualTo("other");
        assertThat(WebhookAddress.names(WebhookServer.k3d())).containsExactly("host.k3d.internal", "localhost");
    }

    @Test
    @Tag("J13")
    void aServiceIsNamedInTheConfigAndTheCertificate() {
        LocalWebhookServer server = WebhookServer.local()
                .service("ns", "hooks", 8443)
                .path("/p")
                .extraHosts("more.example.com")
                .address("10.0.0.5");
        assertThat(WebhookAddress.clientConfig(server, 9443, "pem"))
                .isEqualTo(WebhookClientConfig.service("ns", "hooks", 8443)
                        .withPath("p")
                        .withCaBundle("pem"));
        assertThat(WebhookAddress.names(server))
                .containsExactly("hooks.ns.svc", "hooks.ns.svc.cluster.local", "10.0.0.5", "more.example.com");
    }
}
