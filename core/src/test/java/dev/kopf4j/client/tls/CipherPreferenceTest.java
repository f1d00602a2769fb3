package dev.kopf4j.client.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class CipherPreferenceTest {
    private static List<String> suites(boolean secondCompiler) throws NoSuchAlgorithmException {
        return List.of(new CipherPreference(secondCompiler)
                .applied(SSLContext.getDefault())
                .getCipherSuites());
    }

    private static List<String> defaults() throws NoSuchAlgorithmException {
        return List.of(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites());
    }

    @Test
    void withBothCompilersTheOrderIsTheJdks() throws Exception {
        assertThat(suites(true)).isEqualTo(defaults());
    }

    @Test
    void withoutTheSecondCompilerWhatIsQuickInPlainCodeComesFirst() throws Exception {
        assertThat(suites(false)).first().isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
        assertThat(suites(false).indexOf("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"))
                .isNotNegative()
                .isLessThan(suites(false).indexOf("TLS_AES_256_GCM_SHA384"));
    }

    @Test
    void nothingIsAddedOrLeftOutAndTheOthersKeepTheirOrder() throws Exception {
        assertThat(suites(false)).containsExactlyInAnyOrderElementsOf(defaults());
        assertThat(suites(false))
                .filteredOn(suite -> suite.contains("_AES_"))
                .isEqualTo(defaults().stream()
                        .filter(suite -> suite.contains("_AES_"))
                        .toList());
    }
}
