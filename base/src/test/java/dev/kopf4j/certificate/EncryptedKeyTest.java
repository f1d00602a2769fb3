package dev.kopf4j.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the curve P-256 that openssl has encrypted with the password "secret". */
class EncryptedKeyTest {
    /** {@code openssl pkcs8 -topk8}, as it is by default: PBES2 with AES-256. */
    private static final String BY_DEFAULT = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhV1g0Fxe1BYwICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEIPN6dZXVusT80E/Y+5QZX4EgZA3
            k1bPmwgmq36Xlt49UYcVtYsERAc8rb/y4Mn5Y4TkySBw0qH3s4/efSZxwYi9hf/C
            HpahMoptm0T0nGQn8UNIyhg133MaYNZ8F2IK7Rfzg2t+OwflVD7dYquhq5YVXNdm
            GwKlRrg9n2aVvhAyig2meJ4T1WnFSzFU6nrkuLrtblpARl64xCUTkP9BYs4lQJs=
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    /** {@code openssl pkcs8 -topk8 -v2 aes128 -v2prf hmacWithSHA512}. */
    private static final String WITH_AES_128 = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhAMglwuwo+fQICCAAw
            DAYIKoZIhvcNAgsFADAdBglghkgBZQMEAQIEEKptKSXqaM+kQjAZ+swzDssEgZC8
            QDkPmEx6m4lr4cNh2Dm6eeFYADmHkaN3CK8Dia3X5UHUlV80hZVyw81fYNEdiWAh
            LyBEs4jRfphbXGxBl6zShjspvbP2p5TKkXIr3FcIuiPVwtcPFqBJYkE6liAGopkN
            uVhMdjk3pGL8Kz4cRhNBslZMVJBrxL/+rJx2N5G+GPeS8WIEpeATMAt5jRiewG0=
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    @ParameterizedTest
    @Tag("J14")
    @Tag("L37")
    @ValueSource(strings = {BY_DEFAULT, WITH_AES_128})
    void aPasswordOpensWhatOpensslHasEncrypted(String pem) throws Exception {
        assertThat(PemReader.privateKey("key", pem, "secret").getAlgorithm()).isEqualTo("EC");
    }

    @Test
    @Tag("J14")
    void aWrongPasswordIsToldAndTheKeyIsNot() {
        assertThatThrownBy(() -> PemReader.privateKey("key", BY_DEFAULT, "wrong"))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("the key cannot be opened with the password")
                .hasMessageNotContaining("wrong");
    }

    @Test
    @Tag("J14")
    void withoutAPasswordTheWayOutIsTold() {
        assertThatThrownBy(() -> PemReader.privateKey("key", BY_DEFAULT, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is encrypted");
    }

    @Test
    void aKeyWithoutContentIsDamaged() {
        String empty = "-----BEGIN EC PRIVATE KEY-----\n\n-----END EC PRIVATE KEY-----\n";
        assertThatThrownBy(() -> PemReader.privateKey("key", empty)).isInstanceOf(GeneralSecurityException.class);
    }
}
