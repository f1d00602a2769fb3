package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartUpCacheTest {
    /**
     * Two JVMs, one of which writes its cache, take 20 s of a processor: beside eight builds, more than four minutes.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(12);

    @TempDir
    private Path folder;

    @Test
    void clustersStartFromACacheThatHoldsTheLibrariesTooAndNothingStaysBehindWhenItIsMade() throws IOException {
        Path program = distribution();
        try (var warmUp = RunningProgram.start(folder, environment(""), command(program, "warm-up", "devcluster"))) {
            assertThat(warmUp.awaitExit(PATIENCE)).as(warmUp::toString).isZero();
        }
        assertThat(files(folder.resolve("kopf4j/cache")))
                .singleElement()
                .asString()
                .endsWith("-devcluster.aot");
        assertThat(ProcessHandle.allProcesses().filter(this::isOurs)).isEmpty();
        Path loaded = folder.resolve("loaded");
        try (var cluster = RunningProgram.start(
                folder, environment("-Xlog:class+load:file=" + loaded), command(program, "devcluster"))) {
            cluster.awaitOutput("export KUBECONFIG=", PATIENCE);
            cluster.terminate();
            assertThat(cluster.awaitExit(PATIENCE)).as(cluster::toString).isZero();
        }
        assertThat(Files.readAllLines(loaded))
                .filteredOn(line -> line.contains(" picocli.") || line.contains(" dev.kopf4j.devcluster."))
                .hasSizeGreaterThan(300)
                .filteredOn(line -> line.contains("source: file:"))
                .isEmpty();
    }

    // With the libraries where they are, but a folder for caches of its own.
    private Path distribution() throws IOException {
        Path home = Files.createDirectories(folder.resolve("kopf4j"));
        Path made = Kopf4j.program().getParent().getParent();
        for (String part : List.of("bin", "lib", "warm-up")) {
            Files.createSymbolicLink(home.resolve(part), made.resolve(part));
        }
        return home.resolve("bin/kopf4j");
    }

    private static Map<String, String> environment(String javaOptions) {
        return Map.of("JAVA_HOME", System.getProperty("java.home"), "KOPF4J_JAVA_OPTS", javaOptions);
    }

    private static List<String> command(Path program, String... arguments) {
        return Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                .toList();
    }

    private boolean isOurs(ProcessHandle process) {
        return process.info()
                .commandLine()
                .filter(line -> line.contains(folder.toString()))
                .isPresent();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
