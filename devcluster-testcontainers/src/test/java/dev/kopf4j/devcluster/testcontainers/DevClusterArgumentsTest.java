package dev.kopf4j.devcluster.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevClusterArgumentsTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void certificatesKnowThisMachineAnyway(String host) {
        assertThat(DevClusterArguments.reachableAt(host, List.of("--rbac"))).containsExactly("--rbac");
    }

    @Test
    void theCertificateIsToldAnotherDockerHostBehindTheNamesOfTheUser() {
        assertThat(DevClusterArguments.reachableAt("docker.example.com", List.of()))
                .containsExactly("--name", "docker.example.com");
        assertThat(DevClusterArguments.reachableAt("172.17.0.1", List.of("--name", "kubernetes")))
                .containsExactly("--name", "kubernetes", "--name", "172.17.0.1");
    }

    /** A container that is started once more is configured once more. */
    @Test
    void aHostIsNamedOnce() {
        List<String> first = DevClusterArguments.reachableAt("172.17.0.1", List.of("--rbac"));
        assertThat(DevClusterArguments.reachableAt("172.17.0.1", first)).isEqualTo(first);
        assertThat(DevClusterArguments.reachableAt("a", List.of("--name=a"))).containsExactly("--name=a");
        assertThat(DevClusterArguments.reachableAt("a", List.of("--apply", "a")))
                .containsExactly("--apply", "a", "--name", "a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port", "--port=7000", "--address", "--kubeconfig=/else/where"})
    void whatTheImageSetsIsRefused(String argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DevClusterArguments.check(List.of("--workloads", argument)))
                .withMessageContaining("sets " + argument.replaceFirst("=.*", "") + " itself")
                .withMessageContaining("--workloads " + argument);
        DevClusterArguments.check(List.of("--workloads", "--name", "port"));
    }
}
