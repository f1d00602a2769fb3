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
        assertThatThrownBy(() -> PemReader.privateKey("client key", empty))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageStartingWith("the client key is damaged: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "CERTIFICATE"})
    void whatIsDamagedIsNamed(String type) {
        for (String content : new String[] {"A", "AAA=", "MIIB"}) {
            String pem = "-----BEGIN " + type + "-----\n" + content + "\n-----END " + type + "-----\n";
            assertThatThrownBy(() -> {
                        if (type.equals("CERTIFICATE")) {
                            PemReader.certificates("client key", pem);
                        } else {
                            PemReader.privateKey("client key", pem);
                        }
                    })
                    .isInstanceOfAny(GeneralSecurityException.class, IllegalArgumentException.class)
                    .hasMessageStartingWith("the client key is ");
        }
    }

    /** {@code openssl ec -aes128}: its headers have hyphens. */
    @Test
    @Tag("J14")
    void ofAKeyThatIsEncryptedInTheOldWayTheWayOutIsTold() {
        String old = """
                -----BEGIN EC PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-128-CBC,1AF6B1C0A5F3F1E3B2D7C9A86F5E4D3C

                YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU2Nzg5
                -----END EC PRIVATE KEY-----
                """;
        assertThatThrownBy(() -> PemReader.privateKey("client key", old))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the client key is encrypted: decrypt it first, for example with openssl");
        assertThatThrownBy(() -> PemReader.privateKey(
                        "client key",
                        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n" + "-----END EC PARAMETERS-----\n" + old))
                .hasMessageContaining("is encrypted");
    }
}
