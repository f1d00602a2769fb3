package dev.kopf4j.e2e;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The program under test: the distribution that the build has made. */
final class Kopf4j {
    /**
     * What takes longer hangs. Starts take 2 s of a processor, or 5 s without the cache; beside eight builds on two
     * cores, a process has had a 25th of one.
     */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    static final Path ROOT =
            Path.of(System.getProperty("kopf4j.root", "..")).toAbsolutePath().normalize();

    private static final Path PROGRAM = Path.of(System.getProperty("kopf4j.program", "../cli/target/kopf4j/bin/kopf4j"))
            .toAbsolutePath()
            .normalize();

    private static final String JAVA_OPTIONS = "KOPF4J_JAVA_OPTS";

    private Kopf4j() {}

    /** By which the program starts from the cache that the build has made; empty if there is none. */
    private static String startUpOptions() {
        return System.getenv().getOrDefault(JAVA_OPTIONS, "");
    }

    /**
     * The command that runs a class of these tests in a JVM of its own, with the program's jars as the libraries of a
     * user: so it starts from the program's cache, which takes half of the work.
     */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(
                startUpOptions().isBlank()
                        ? List.of()
                        : List.of(startUpOptions().split(" ", -1)));
        command.addAll(List.of("-cp", jar() + File.pathSeparator + classes(main), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(program().resolve("../../lib").normalize())) {
            return files.filter(file -> file.getFileName().toString().startsWith("kopf4j-cli-"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path classes(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Its launcher. */
    static Path program() {
        if (!Files.isExecutable(PROGRAM)) {
            throw new AssertionError("there is no " + PROGRAM + "; build it: ./mvnw -pl cli -am package");
        }
        return PROGRAM;
    }

    /** Starts it in the folder of the repository, as the README does. */
    static RunningProgram start(String... arguments) {
        return start(Map.of(), arguments);
    }

    static RunningProgram start(Map<String, String> environment, String... arguments) {
        return start(ROOT, environment, arguments);
    }

    /** Starts it in another folder. */
    static RunningProgram startIn(Path folder, String... arguments) {
        return start(folder, Map.of(), arguments);
    }

    private static RunningProgram start(Path folder, Map<String, String> environment, String... arguments) {
        Path program = program();
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.computeIfPresent(JAVA_OPTIONS, (_, given) -> startUpOptions() + " " + given);
        variables.put("KOPF4J_CACHE", "off"); // made for the second start; here it would compete for the processor
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return RunningProgram.start(folder, variables, command);
    }

    /** The kubeconfig that it has announced on stdout. */
    static Path kubeconfig(RunningProgram program) {
        return Path.of(program.awaitOutput("export KUBECONFIG=", PATIENCE));
    }

    /** A client for the cluster that it has announced. */
    static KubernetesClient client(RunningProgram program) {
        Config config = Config.fromKubeconfig(kubeconfig(program).toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
