package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kubeconfigs of no use: what is wrong with which file, and an exit code that says so. */
class UnusableKubeconfigTest {
    private static final String SERVER = "clusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n";
    private static final String USER = "users: [{name: u, user: {}}]\n";

    @TempDir
    private Path folder;

    private Path kubeconfig;
    private Path source;

    @BeforeEach
    void write() throws IOException {
        kubeconfig = folder.resolve("my-kubeconfig");
        source = Files.writeString(folder.resolve("Example.java"), """
                class Example { @dev.kopf4j.OnCreate("kopfexamples") void fn() {} }
                """);
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("", List.of("no current context", "kubectl config get-contexts")),
                Arguments.of("just text", List.of("not a mapping")),
                Arguments.of("clusters: [\n", List.of("not valid YAML at line 2")),
                Arguments.of(SERVER + USER + "contexts: []\n", List.of("no current context")),
                Arguments.of(
                        SERVER + USER + contexts("a", "u") + "current-context: production\n",
                        List.of("no context 'production'", "only [c1, c2]", "kubectl config get-contexts")),
                Arguments.of(
                        SERVER + USER + contexts("gone", "u") + "current-context: c1\n",
                        List.of("no cluster 'gone'", "only [a]")),
                Arguments.of(
                        SERVER + USER + contexts("a", "nobody") + "current-context: c1\n",
                        List.of("no user 'nobody'", "only [u]")));
    }

    private static String contexts(String cluster, String user) {
        String context = "{cluster: " + cluster + ", user: " + user + "}";
        return "contexts: [{name: c1, context: " + context + "}, {name: c2, context: " + context + "}]\n";
    }

    private CommandRun run() {
        return CommandRun.of("run", "-A", "--kubeconfig", kubeconfig.toString(), source.toString());
    }

    @ParameterizedTest
    @MethodSource("texts")
    void namesTheFileAndWhatIsMissingInIt(String text, List<String> words) throws IOException {
        Files.writeString(kubeconfig, text);
        var result = run();
        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("kopf4j: The operator cannot start: ")
                .contains(words)
                .contains(kubeconfig.toString())
                .doesNotContain("Exception");
    }

    @Test
    void namesTheFileThatIsMissing() {
        var result = run();
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .isEqualToIgnoringNewLines(
                        "kopf4j: Cannot read the kubeconfig " + kubeconfig + ": there is no such file; check the path");
    }

    @Test
    void namesTheFileThatMayNotBeRead() throws IOException {
        Files.writeString(kubeconfig, SERVER);
        assertThat(kubeconfig.toFile().setReadable(false)).isTrue();
        assumeFalse(Files.isReadable(kubeconfig), "root may read everything");
        var result = run();
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("Cannot read the kubeconfig " + kubeconfig, "permission");
    }

    @Test
    void doesNotTakeAFolderForAKubeconfig() throws IOException {
        Files.createDirectory(kubeconfig);
        var result = run();
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("Cannot read the kubeconfig " + kubeconfig + ": it is a folder");
    }
}
