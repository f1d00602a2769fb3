package dev.kopf4j.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedCertificateTest {
    private static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");

    private static X509Certificate made(String... names) {
        return CertificateAuthority.selfSigned(ServerNames.of(List.of(names)), NOW, Duration.ofDays(10))
                .certificate();
    }

    private static List<String> alternativeNames(X509Certificate certificate) throws Exception {
        Collection<List<?>> names = Objects.requireNonNull(certificate.getSubjectAlternativeNames());
        return names.stream().map(name -> name.get(0) + ":" + name.get(1)).toList();
    }

    /** Type 2 is a host name, type 7 an IP address (RFC 5280, 4.2.1.6). */
    @Test
    @Tag("J13")
    @Tag("L37")
    void theNamesAreInTheCertificate() throws Exception {
        X509Certificate certificate = made("127.0.0.1", "::1", "hooks.example.com", "0.0.0.0", "::", "127.0.0.1");
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=hooks.example.com");
        assertThat(certificate.getIssuerX500Principal()).isEqualTo(certificate.getSubjectX500Principal());
        assertThat(alternativeNames(certificate))
                .containsExactlyInAnyOrder("2:hooks.example.com", "2:127.0.0.1", "7:127.0.0.1", "7:0:0:0:0:0:0:0:1");
    }

    @Test
    @Tag("J13")
    void withoutHostNamesTheFirstAddressIsTheCommonName() {
        assertThat(made("10.1.2.3", "10.1.2.4").getSubjectX500Principal().getName())
                .isEqualTo("CN=10.1.2.3");
        assertThat(made("::1").getSubjectX500Principal().getName()).isEqualTo("CN=0:0:0:0:0:0:0:1");
    }

    @Test
    @Tag("J13")
    void theCertificateIsItsOwnAuthorityAndForServersAndClients() throws Exception {
        X509Certificate certificate = made("hooks");
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(certificate.getKeyUsage())
                .containsExactly(true, false, true, false, false, true, true, false, false);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(certificate.getPublicKey().getAlgorithm()).isEqualTo("EC");
    }

    @Test
    @Tag("J13")
    void theCertificateIsValidFromAnHourAgoAsClocksDiffer() {
        X509Certificate certificate = made("hooks");
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(Instant.parse("2026-05-06T06:08:09Z"));
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(Instant.parse("2026-05-16T07:08:09Z"));
    }

    @Test
    @Tag("J13")
    void noTwoCertificatesHaveOneNumber() {
        assertThat(made("hooks").getSerialNumber())
                .isNotEqualTo(made("hooks").getSerialNumber())
                .isGreaterThan(BigInteger.ZERO);
    }

    @Test
    @Tag("J13")
    void aCertificateWithoutNamesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> made("0.0.0.0")).withMessageContaining("0.0.0.0");
    }

    /** Years before 2050 have two digits (RFC 5280, 4.1.2.5). */
    @ParameterizedTest
    @Tag("J13")
    @CsvSource({"2049-12-31T23:59:59Z, 13", "2050-01-01T00:00:00Z, 15"})
    void timesAreWrittenAsTheStandardSays(Instant moment, int length) {
        assertThat(DerWriter.time(moment)).hasSize(length + 2);
    }

    @ParameterizedTest
    @Tag("J13")
    @CsvSource({"127, 047f", "128, 048180", "255, 0481ff", "256, 04820100", "65535, 0482ffff", "65536, 0483010000"})
    void lengthsAreWrittenInAsFewBytesAsPossible(int length, String front) {
        byte[] element = DerWriter.octets(new byte[length]);
        assertThat(HexFormat.of().formatHex(element, 0, front.length() / 2)).isEqualTo(front);
        assertThat(element).hasSize(length + front.length() / 2);
    }

    @ParameterizedTest
    @Tag("J13")
    @CsvSource({"2.5.4.3, 0603550403", "1.2.840.10045.4.3.2, 06082a8648ce3d040302"})
    void identifiersAreWrittenInBase128(String dotted, String der) {
        assertThat(HexFormat.of().formatHex(DerWriter.identifier(dotted))).isEqualTo(der);
    }
}
