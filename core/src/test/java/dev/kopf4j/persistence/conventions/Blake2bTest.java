package dev.kopf4j.persistence.conventions;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("D06")
class Blake2bTest {
    @Test
    void hashesTheExampleOfTheRfc() {
        assertThat(hex(Blake2b.digest("abc".getBytes(US_ASCII), 64)))
                .isEqualTo("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    }

    /** Digests of the bytes 0, 1, 2, … 250, 0, …, around the borders of blocks, by another implementation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 4 | 1271cf25",
                "1 | 4 | 0ad83173",
                "3 | 4 | 579c4f35",
                "3 | 20 | 147420788d27f83264eb55bad410d304540a21d9",
                "127 | 4 | fb77425d",
                "128 | 4 | b36f9364",
                "129 | 4 | b382d211",
                "129 | 20 | a7bf25f1599102ab631e3052e8303a2c097d1a7e",
                "129 | 64 | f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e"
                        + "4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f",
                "255 | 4 | 6e8193d3",
                "256 | 4 | 1b87e177",
                "257 | 4 | 9c4dbe34",
                "1000 | 4 | 1c9d5d67",
                "1000 | 20 | fc9a2426db78846a07219bc181a52bae9a62eacc",
                "1000 | 64 | c11e1c0340bd7e5a1b275f1230c962fad215ecb1391486e74e31b960a2f29963"
                        + "81a5fad092da06841d5f26e38f6ecfeaf441acbcd1c2de61aef121e7927175f5",
            })
    void hashesAnyLengthToAnyLength(int messageBytes, int digestBytes, String expected) {
        byte[] message = new byte[messageBytes];
        for (int index = 0; index < messageBytes; index++) {
            message[index] = (byte) (index % 251);
        }
        assertThat(hex(Blake2b.digest(message, digestBytes))).isEqualTo(expected);
    }

    @Test
    void mixesTheLengthIntoTheHash() {
        byte[] message = "abc".getBytes(US_ASCII);
        assertThat(hex(Blake2b.digest(message, 64))).doesNotStartWith(hex(Blake2b.digest(message, 4)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65})
    void refusesImpossibleLengths(int digestBytes) {
        assertThatIllegalArgumentException().isThrownBy(() -> Blake2b.digest(new byte[0], digestBytes));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
