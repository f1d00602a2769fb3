package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The certificates of the example are renewed in time, and not before, also after a restart. */
@Tag("L70")
@KopfTest(
        run = {"23-certificates/Certificates.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class CertificatesTest {
    private static CustomObjects certificates(KubernetesClient client) {
        return new CustomObjects(client, "Certificate", "certificates", true);
    }

    private static Secret secret(KubernetesClient client) {
        return client.secrets().withName("shop").require();
    }

    private static X509Certificate certificate(KubernetesClient client) throws CertificateException {
        byte[] pem = Base64.getDecoder().decode(secret(client).getData().get("tls.crt"));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    private static List<String> hosts(KubernetesClient client) throws CertificateException {
        return certificate(client).getSubjectAlternativeNames().stream()
                .map(name -> String.valueOf(name.get(1)))
                .toList();
    }

    @Test
    void aCertificateIsForTheHostsAndItsStatusTellsOfIt(TestedOperator operator, KubernetesClient client)
            throws CertificateException {
        operator.awaitIdle();
        assertThat(hosts(client)).containsExactly("shop.example.com", "www.example.com");
        assertThat(certificates(client).get("shop").getString("status.hosts"))
                .contains("shop.example.com,www.example.com");
    }

    @Test
    void itIsRenewedWhenItIsOldAndNotBefore(TestClock clock, TestedOperator operator, KubernetesClient client)
            throws CertificateException {
        operator.awaitIdle();
        certificates(client).set("shop", "renewEveryDays", 1);
        X509Certificate first = certificate(client);
        clock.advance(Duration.ofHours(12));
        operator.kill();
        operator.restart();
        clock.advance(Duration.ofHours(11));
        assertThat(certificate(client)).isEqualTo(first);

        clock.advance(Duration.ofHours(2));
        X509Certificate second = certificate(client);
        assertThat(second).isNotEqualTo(first);
        assertThat(second.getNotAfter()).isAfter(Date.from(clock.now().plus(Duration.ofDays(364))));
        assertThat(certificates(client).get("shop").getString("status.issued"))
                .contains(secret(client).getMetadata().getAnnotations().get("kopf.dev/issued"));
    }

    @Test
    void withinAnHourItFollowsItsHostsAndComesBack(TestClock clock, TestedOperator operator, KubernetesClient client)
            throws CertificateException {
        operator.awaitIdle();
        certificates(client).set("shop", "hosts", List.of("new.example.com"));
        clock.advance(Duration.ofHours(1));
        assertThat(hosts(client)).containsExactly("new.example.com");

        client.secrets().withName("shop").delete();
        operator.awaitIdle();
        assertThat(certificates(client).get("shop").has("status.issued")).isFalse();
        clock.advance(Duration.ofHours(1));
        assertThat(certificates(client).get("shop").has("status.issued")).isTrue();
        assertThat(secret(client).getType()).isEqualTo("kubernetes.io/tls");
    }

    @Test
    void itGoesWithItsObject(TestClock clock, TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        certificates(client).named("shop").delete();
        clock.advance(Duration.ofHours(2));
        assertThat(certificates(client).all()).isEmpty();
        assertThat(client.secrets().withName("shop").get()).isNull();
    }
}
