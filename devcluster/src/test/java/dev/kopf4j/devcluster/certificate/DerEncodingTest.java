package dev.kopf4j.devcluster.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.certificate.TlsCertificates.CertificateAuthority.DerEncoding;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Against encodings that X.690 and well-known certificates give. */
class DerEncodingTest {
    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void writesIntegersWithTheirSign() {
        assertThat(hex(DerEncoding.integer(BigInteger.ZERO))).isEqualTo("020100");
        assertThat(hex(DerEncoding.integer(BigInteger.valueOf(128)))).isEqualTo("02020080");
    }

    @Test
    void writesLongLengths() {
        assertThat(hex(DerEncoding.octets(new byte[200]))).startsWith("0481c8");
        assertThat(hex(DerEncoding.octets(new byte[300]))).startsWith("0482012c");
    }

    @Test
    void writesObjectIdentifiers() {
        assertThat(hex(DerEncoding.oid("1.2.840.113549.1.1.11"))).isEqualTo("06092a864886f70d01010b");
        assertThat(hex(DerEncoding.oid("2.5.29.17"))).isEqualTo("0603551d11");
    }

    @Test
    void writesSmallValues() {
        assertThat(hex(DerEncoding.bool(true))).isEqualTo("0101ff");
        assertThat(hex(DerEncoding.utf8("ä"))).isEqualTo("0c02c3a4");
        assertThat(hex(DerEncoding.sequence(DerEncoding.bool(true), DerEncoding.bool(true))))
                .isEqualTo("30060101ff0101ff");
        assertThat(hex(DerEncoding.bits(0, new byte[] {5}))).isEqualTo("03020005");
    }

    @Test
    void writesGeneralizedTimes() {
        assertThat(hex(DerEncoding.time(Instant.parse("2026-01-02T03:04:05Z"))))
                .isEqualTo("180f" + hex("20260102030405Z".getBytes(StandardCharsets.US_ASCII)));
    }
}
