package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that tell of an operator run nothing of it: no constructor, no static initializer, no method. */
class UncalledOperatorTest {
    private static final String SOURCE = """
            import dev.kopf4j.*;

            class Careless {
                static {
                    ran("a static initializer");
                }

                Careless() {
                    ran("the constructor");
                }

                private static void ran(String what) {
                    throw new IllegalStateException(what + " has run");
                }

                int limit() {
                    ran("paramBy");
                    return 5;
                }

                boolean isLarge(Object value) {
                    ran("a filter");
                    return true;
                }

                @OnCreate(value = "configmaps", paramBy = "limit", field = "data.size", fieldValueWhen = "isLarge")
                void create(int param) {
                    ran("a handler");
                }

                @OnStartup(paramBy = "limit")
                void start(int param) {
                    ran("a start-up handler");
                }
            }
            """;

    @TempDir
    private Path folder;

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults());

    @ParameterizedTest
    @Tag("Q03")
    @Tag("Q04")
    @ValueSource(
            strings = {
                "plan FILE -A",
                "why FILE configmaps/one -n default",
                "doctor FILE -A",
                "explain watches FILE -A",
                "manifests FILE -A",
                "uninstall --orphan FILE -A",
            })
    void nothingOfTheOperatorRuns(String command) throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(kubeconfig);
        cluster.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}, data: {size: big}}");
        Path source = Files.writeString(folder.resolve("Careless.java"), SOURCE);
        String[] arguments = Stream.concat(
                        Arrays.stream(command.split(" ", -1)).map(each -> each.replace("FILE", source.toString())),
                        Stream.of("--kubeconfig", kubeconfig.toString()))
                .toArray(String[]::new);
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exitCode()).as(run.out() + run.err()).isIn(ExitCode.OK, ExitCode.FINDINGS);
        assertThat(run.out() + run.err()).doesNotContain("has run");
    }
}
