package dev.kopf4j.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Against encodings that X.690 and well-known certificates give. */
class DerWriterTest {
    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void writesIntegersWithTheirSign() {
        assertThat(hex(DerWriter.integer(BigInteger.ZERO))).isEqualTo("020100");
        assertThat(hex(DerWriter.integer(BigInteger.valueOf(128)))).isEqualTo("02020080");
    }

    @Test
    void writesLongLengths() {
        assertThat(hex(DerWriter.octets(new byte[200]))).startsWith("0481c8");
        assertThat(hex(DerWriter.octets(new byte[300]))).startsWith("0482012c");
    }

    @Test
    void writesObjectIdentifiers() {
        assertThat(hex(DerWriter.identifier("1.2.840.113549.1.1.11"))).isEqualTo("06092a864886f70d01010b");
        assertThat(hex(DerWriter.identifier("2.5.29.17"))).isEqualTo("0603551d11");
    }

    @Test
    void writesSmallValues() {
        assertThat(hex(DerWriter.yes())).isEqualTo("0101ff");
        assertThat(hex(DerWriter.text("ä"))).isEqualTo("0c02c3a4");
        assertThat(hex(DerWriter.sequence(DerWriter.yes(), DerWriter.yes()))).isEqualTo("30060101ff0101ff");
        assertThat(hex(DerWriter.bits(0, new byte[] {5}))).isEqualTo("03020005");
    }

    @Test
    void writesTimesWithTwoDigitsOfTheYearBefore2050() {
        assertThat(hex(DerWriter.time(Instant.parse("2026-01-02T03:04:05Z"))))
                .isEqualTo("170d" + hex("260102030405Z".getBytes(StandardCharsets.US_ASCII)));
        assertThat(hex(DerWriter.time(Instant.parse("2050-01-02T03:04:05Z"))))
                .isEqualTo("180f" + hex("20500102030405Z".getBytes(StandardCharsets.US_ASCII)));
    }
}
