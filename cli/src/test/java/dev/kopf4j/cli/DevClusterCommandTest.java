package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DevClusterCommandTest {
    @TempDir
    private Path folder;

    @Test
    void refusesADataFolderThatIsInUse() throws Exception {
        try (var _ = DevCluster.start(Options.defaults().data(folder.resolve("kept")))) {
            var result =
                    CommandRun.of("devcluster", "--data", folder.resolve("kept").toString());
            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err()).contains("kept cannot be used: another dev cluster is using it");
        }
    }

    @Test
    void refusesVersionsThatAreNotThere() {
        var kubernetes = CommandRun.of("devcluster", "--kubernetes-version", "1.30");
        assertThat(kubernetes.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(kubernetes.err()).contains("Kubernetes 1.30 is not one of the versions that are there: 1.31");

        var group = CommandRun.of("devcluster", "--runtime-config", "resource.k8s.io/v1alpha3");
        assertThat(group.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(group.err()).contains("has no such version of Kubernetes 1.33, but resource.k8s.io/v1beta2");
    }

    @Test
    void doesNotOverwriteAForeignKubeconfig() throws IOException {
        Path foreign = Files.writeString(folder.resolve("config"), "current-context: production");

        var result = CommandRun.of("devcluster", "--kubeconfig", foreign.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("would be overwritten");
        assertThat(foreign).hasContent("current-context: production");
    }

    @ParameterizedTest
    @MethodSource("kubeconfigsOfPeople")
    void doesNotOverwriteAKubeconfigWithOtherClusters(String text) throws IOException {
        Path foreign = Files.writeString(folder.resolve("config"), text);

        var result = CommandRun.of("devcluster", "--kubeconfig", foreign.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("would be overwritten");
        assertThat(foreign).hasContent(text);
    }

    static List<String> kubeconfigsOfPeople() {
        String own = ownKubeconfig();
        String otherCluster = "- name: prod\n  cluster: {server: https://prod.example.com}\n";
        String otherUser = "- name: prod\n  user: {token: secret}\n";
        return List.of(
                own.replace("users:\n", otherCluster + "users:\n"),
                own.replace("contexts:\n", otherUser + "contexts:\n"),
                own.replace("current-context", "- {name: prod, context: {cluster: prod, user: prod}}\ncurrent-context"),
                own.replace("name: devcluster", "name: devcluster-eu1")
                        .replace("cluster: devcluster", "cluster: devcluster-eu1")
                        .replace("current-context: devcluster", "current-context: devcluster-eu1"),
                own.replaceFirst("server: .*", "server: https://devcluster.example.com:6443"),
                own.replace("name: admin", "name: me").replace("user: admin", "user: me"),
                own + "---\n" + own,
                "current-context: devcluster\n  broken: [");
    }

    private static String ownKubeconfig() {
        try (var cluster = DevCluster.start(Options.defaults().https(true))) {
            return cluster.kubeconfig();
        }
    }

    @Test
    void tellsWhyTheKubeconfigCannotBeWritten() {
        Path nowhere = folder.resolve("nowhere").resolve("config");

        var result = CommandRun.of("devcluster", "--kubeconfig", nowhere.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("kopf4j: the kubeconfig cannot be written to " + nowhere + ": ")
                .contains("there is no folder " + nowhere.getParent())
                .doesNotContain("Exception")
                .doesNotContain("--debug");
    }

    @Test
    void tellsThatThePortIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var result = CommandRun.of("devcluster", "--port", Integer.toString(taken.getLocalPort()));
            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err())
                    .isEqualToIgnoringNewLines("kopf4j: the dev cluster cannot listen on 127.0.0.1:"
                            + taken.getLocalPort() + ": Address already in use");
        }
    }

    @Test
    void tellsThatThePortOfTheConsoleIsTakenBeforeItSaysThatItHasStarted() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var result = CommandRun.of("devcluster", "--console", Integer.toString(taken.getLocalPort()));
            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err()).contains("There is no console, as 127.0.0.1:" + taken.getLocalPort());
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void leavesNoKubeconfigIfThePortOfTheConsoleIsTaken() throws IOException {
        Path kubeconfig = folder.resolve("config");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var result = CommandRun.of(
                    "devcluster", "--console=" + taken.getLocalPort(), "--kubeconfig", kubeconfig.toString());
            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(kubeconfig).doesNotExist();
        }
    }

    @Test
    void refusesAPortThatIsNone() {
        var result = CommandRun.of("devcluster", "--port", "70000");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--port 70000 is not a port");
    }

    @Test
    void refusesAnAddressThatIsNone() {
        var result = CommandRun.of("devcluster", "--address", "localhost");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--address localhost is no IP address, such as 0.0.0.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bad!name",
                "a.example,b.example",
                "https://a.example",
                "a.example:6443",
                "-a",
                "a..b",
                "*",
                "*a",
                "a.*.b",
                ""
            })
    void refusesANameThatIsNone(String name) {
        var result = CommandRun.of("devcluster", "--window", "0", "--name", "host.example", "--name=" + name);

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--name '" + name + "' is neither an address nor the name of a host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kubernetes", "My-Host.example.com", "my_service", "a.example.", "10.0.0.7", "::1", "0.0.0.0"})
    void takesNamesOfHostsAndAddresses(String name) {
        var result = CommandRun.of("devcluster", "--window", "0", "--name", name);

        assertThat(result.err()).contains("--window 0 is too small").doesNotContain("--name");
    }

    @Test
    void takesAWildcardForTheCertificateButNotForTheKubeconfig() {
        var further =
                CommandRun.of("devcluster", "--window", "0", "--name", "api.kube.local", "--name", "*.kube.local");
        assertThat(further.err()).contains("--window 0 is too small").doesNotContain("--name");

        var first = CommandRun.of("devcluster", "--window", "0", "--name", "*.kube.local", "--name", "api.kube.local");
        assertThat(first.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(first.err()).contains("--name '*.kube.local' cannot be the first");
    }

    @Test
    void refusesFaultsThatAreNone() {
        var result = CommandRun.of("devcluster", "--fault", "GET /x nonsense");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--fault: 'GET /x nonsense' is not a fault rule: unknown fault 'nonsense'");
    }

    @Test
    void tellsWhatTheClusterRefuses() throws IOException {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "apiVersion: example.com/v1\nkind: Unknown\nmetadata: {name: a}\n");

        var result = CommandRun.of("devcluster", "--apply", file.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(file.toString()).contains("Unknown");
    }

    @Test
    void leavesNoKubeconfigOfAClusterThatIsNotReady() throws IOException {
        Path refused = Files.writeString(
                folder.resolve("x.yaml"), "apiVersion: example.com/v1\nkind: Unknown\nmetadata: {name: a}\n");
        Path ofAnEarlierOne = Files.writeString(folder.resolve("config"), ownKubeconfig());

        var result =
                CommandRun.of("devcluster", "--apply", refused.toString(), "--kubeconfig", ofAnEarlierOne.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(ofAnEarlierOne).doesNotExist();
    }

    @Test
    void leavesTheKubeconfigOfAClusterThatHasTheFolder() throws Exception {
        Path data = folder.resolve("kept");
        Path kubeconfig = folder.resolve("config");
        try (var running = DevCluster.start(Options.defaults().https(true).data(data))) {
            running.writeKubeconfig(kubeconfig);

            var result = CommandRun.of("devcluster", "--data", data.toString(), "--kubeconfig", kubeconfig.toString());
            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(kubeconfig).hasContent(running.kubeconfig());
        }
    }
}
