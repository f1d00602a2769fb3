package dev.kopf4j.devcluster.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerKubeconfigTest {
    private static final String INSIDE = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: devcluster
              cluster:
                server: https://%s:6443
                certificate-authority-data: c2VydmVyOiB4
            users:
            - name: admin
              user:
                token: abc
            """;

    /** With {@code --name} it is that name, of which the user's is the first. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost, localhost",
        "kubernetes, localhost, localhost",
        "172.17.0.1, 172.17.0.1, 172.17.0.1",
        "127.0.0.1, ::1, [::1]"
    })
    void onlyTheAddressIsAnotherOne(String inside, String host, String written) {
        assertThat(ContainerKubeconfig.at(host, 32_768, INSIDE.formatted(inside)))
                .isEqualTo(INSIDE.formatted(inside)
                        .replace("https://" + inside + ":6443", "https://" + written + ":32768"));
    }

    @Test
    void whatIsNoKubeconfigIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ContainerKubeconfig.at("localhost", 1, "kind: Config\n"))
                .withMessageContaining("has no server");
    }
}
