package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators are compiled with what the distribution shows of itself, as {@code kopf4j run} compiles them; one process
 * compiles all. Tests of other modules see the whole class path.
 */
class DistributedExamplesTest {
    private static final String COMPILER = """
            class Compiler {
                public static void main(String... files) {
                    for (String file : files) {
                        dev.kopf4j.cli.RunArguments.parse("--all-namespaces", file).operator().build();
                        System.out.println("compiled " + file);
                    }
                }
            }
            """;

    private static final String READER = """
            import dev.kopf4j.OnCreate;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import io.fabric8.kubernetes.client.utils.Serialization;

            class Reader {
                @OnCreate("kopfexamples")
                void create(KubernetesClient client) {
                    Pod one = client.getKubernetesSerialization().unmarshal("kind: Pod", Pod.class);
                    Pod other = Serialization.unmarshal("kind: Pod", Pod.class);
                }
            }
            """;

    @TempDir
    private Path folder;

    private List<String> compiled(List<String> files) throws IOException {
        Path libraries = Kopf4j.program().resolve("../../lib").normalize();
        try (Stream<Path> jars = Files.list(libraries)) {
            String program = jars.map(Path::toString)
                    .filter(jar -> jar.contains("kopf4j-cli-"))
                    .findFirst()
                    .orElseThrow();
            Path compiler = TextFile.write(folder.resolve("Compiler.java"), COMPILER);
            List<String> command = new ArrayList<>(List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    program,
                    compiler.toString()));
            command.addAll(files);
            try (RunningProgram running = RunningProgram.start(Kopf4j.ROOT, Map.of(), command)) {
                assertThat(running.awaitExit(Kopf4j.PATIENCE.multipliedBy(4)))
                        .as("%s", running)
                        .isZero();
                return running.output().lines().toList();
            }
        }
    }

    @Test
    @Tag("L70")
    void allExamplesCompile() throws IOException {
        try (Stream<Path> all = Files.walk(Kopf4j.ROOT.resolve("examples"), 2)) {
            List<String> sources = all.map(Path::toString)
                    .filter(each -> each.matches(".*/\\d\\d-[^/]*/\\w*\\.java") && !each.endsWith("Test.java"))
                    .sorted()
                    .toList();
            assertThat(sources).hasSizeGreaterThan(20);
            assertThat(compiled(sources))
                    .containsExactlyElementsOf(
                            sources.stream().map(each -> "compiled " + each).toList());
        }
    }

    @Test
    void modelsAreReadByTheirClasses() throws IOException {
        String reader = TextFile.write(folder.resolve("Reader.java"), READER).toString();
        assertThat(compiled(List.of(reader))).containsExactly("compiled " + reader);
    }
}
