package dev.kopf4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.OperatorSettings;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the values that describe servers and tunnels; nothing is started. */
class WebhookServersTest {
    private static final String HOME = System.getProperty("user.home");

    @Test
    @Tag("L42")
    void everyPathMayBeginWithTheHomeDirectory() {
        LocalWebhookServer server = WebhookServer.local()
                .certificate(Path.of("~/tls.crt"), Path.of("~", "keys", "tls.key"))
                .ca(Path.of("~/ca.crt"))
                .caDump(Path.of("~"))
                .clientCa(Path.of("~/clients"), Path.of("/etc/~/x"), Path.of("~user/x"));
        assertThat(server.certificateFile()).isEqualTo(Path.of(HOME, "tls.crt"));
        assertThat(server.keyFile()).isEqualTo(Path.of(HOME, "keys", "tls.key"));
        assertThat(server.caFile()).isEqualTo(Path.of(HOME, "ca.crt"));
        assertThat(server.caDump()).isEqualTo(Path.of(HOME));
        assertThat(server.clientCas())
                .containsExactly(Path.of(HOME, "clients"), Path.of("/etc/~/x"), Path.of("~user/x"));
        assertThat(WebhookServer.ngrok().binary(Path.of("~/bin/ngrok")).binary())
                .isEqualTo(Path.of(HOME, "bin", "ngrok"));
        assertThat(WebhookServer.local().certificateFolder(Path.of("~/mounted")).certificateFolder())
                .isEqualTo(Path.of(HOME, "mounted"));
    }

    @ParameterizedTest
    @Tag("J13")
    @CsvSource({"'', ''", "/, ''", "hooks, /hooks", "/a/b//, /a/b"})
    void pathsBeginWithASlashAndEndWithoutOne(String given, String path) {
        assertThat(WebhookServer.local().path(given).path()).isEqualTo(path);
        assertThat(WebhookServer.ngrok().path(given).path()).isEqualTo(path);
    }

    @Test
    @Tag("J15")
    void authoritiesOfClientsAreThereToBeUsed() {
        LocalWebhookServer server = WebhookServer.local();
        assertThat(server.clientCertificates()).isEqualTo(ClientVerification.NONE);
        assertThat(server.clientCa(Path.of("ca")).clientCertificates()).isEqualTo(ClientVerification.OPTIONAL);
        assertThat(server.clientCertificates(ClientVerification.REQUIRED)
                        .clientCa(Path.of("ca"))
                        .clientCertificates())
                .isEqualTo(ClientVerification.REQUIRED);
    }

    @Test
    @Tag("J16")
    void contradictionsAreRefused() throws NoSuchAlgorithmException {
        SSLContext context = SSLContext.getDefault();
        LocalWebhookServer server = WebhookServer.local();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.insecure().sslContext(context))
                .withMessageContaining("insecure()");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.sslContext(context).insecure());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.insecure().certificate(Path.of("a"), Path.of("b")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.sslContext(context).certificate(Path.of("a"), Path.of("b")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.port(65_536))
                .withMessageContaining("65536");
        assertThatIllegalArgumentException().isThrownBy(() -> server.port(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> server.fileCheckInterval(Duration.ZERO));
    }

    @Test
    @Tag("J31")
    void aCertificateComesFromOnePlace() {
        WebhookAuthority authority = WebhookAuthority.inSecret("ns", "name");
        LocalWebhookServer server = WebhookServer.local().authority(authority);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.certificateSecret("ns", "other"))
                .withMessageContaining("certificateSecret(...)")
                .withMessageContaining("authority(...)");
        assertThatIllegalArgumentException().isThrownBy(() -> server.certificateFolder(Path.of("x")));
        assertThatIllegalArgumentException().isThrownBy(server::insecure);
        assertThat(server.authority(null).insecure().isInsecure()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> WebhookAuthority.inSecret("", "name"));
    }

    @Test
    @Tag("J32")
    void theLivesOfAnAuthorityFitTogether() {
        WebhookAuthority authority = WebhookAuthority.inSecret("ns", "name");
        assertThat(List.of(
                        authority.validFor(),
                        authority.rotatedBefore(),
                        authority.announcedFor(),
                        authority.certificatesValidFor()))
                .containsExactly(Duration.ofDays(365), Duration.ofDays(90), Duration.ofHours(1), Duration.ofDays(90));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookServer.local().authority(authority.validFor(Duration.ofDays(90))))
                .withMessageContaining("rotatedBefore(...)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookServer.local().authority(authority.announcedFor(Duration.ofDays(90))));
        assertThatIllegalArgumentException().isThrownBy(() -> authority.certificatesValidFor(Duration.ZERO));
    }

    @Test
    @Tag("J35")
    void onlyServersBehindAServiceGoOnForAWhile() {
        LocalWebhookServer server = WebhookServer.local();
        assertThat(server.stopDelay()).isZero();
        assertThat(server.service("ns", "name", 443).stopDelay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(server.stopDelay(Duration.ofSeconds(1))
                        .service("ns", "name", 443)
                        .stopDelay())
                .isEqualTo(Duration.ofSeconds(1));
        assertThatIllegalArgumentException().isThrownBy(() -> server.stopDelay(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> server.stopDelay(Duration.ofMinutes(11)));
    }

    @Test
    @Tag("J13")
    void textsShowNoSecrets() {
        assertThat(WebhookServer.local().password("hush")).asString().doesNotContain("hush");
        assertThat(WebhookServer.ngrok().token("hush")).asString().doesNotContain("hush");
        WebhookCertificate certificate = WebhookCertificate.build(List.of("x"), null, Instant.EPOCH);
        assertThat(certificate.keyPem()).contains("BEGIN PRIVATE KEY");
        assertThat(certificate).asString().doesNotContain(certificate.keyPem());
    }

    @Test
    @Tag("J17")
    void equalOptionsMakeEqualServers() {
        assertThat(WebhookServer.local().host("host.k3d.internal"))
                .isEqualTo(WebhookServer.k3d())
                .hasSameHashCodeAs(WebhookServer.k3d())
                .isNotEqualTo(WebhookServer.minikube())
                .isNotEqualTo(WebhookServer.k3d().port(1));
        LocalWebhookServer first = WebhookServer.local();
        assertThat(first.port(1)).isNotSameAs(first);
        assertThat(first.port()).isZero();
    }

    @ParameterizedTest
    @Tag("J17")
    @Tag("J18")
    @Tag("J19")
    @CsvSource(
            nullValues = "-",
            value = {
                "local, -",
                "k3d, host.k3d.internal",
                "minikube, host.minikube.internal",
                "dockerDesktop, host.docker.internal"
            })
    void theSettingTakesNames(String name, @Nullable String host) {
        OperatorSettings settings = new OperatorSettings();
        settings.set("admission.server", name);
        assertThat(settings.admission().server())
                .isEqualTo(WebhookServer.local().host(host));
        settings.set("admission.server", "auto");
        assertThat(settings.admission().server()).isEqualTo(WebhookServer.auto());
        settings.set("admission.server", "ngrok");
        assertThat(settings.admission().server()).isEqualTo(WebhookServer.ngrok());
        settings.set("admission.server", "autoTunnel");
        assertThat(settings.admission().server()).isEqualTo(WebhookServer.autoTunnel());
    }
}
