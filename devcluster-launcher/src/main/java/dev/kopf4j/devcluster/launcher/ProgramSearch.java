package dev.kopf4j.devcluster.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the command that starts a dev cluster, and the Java that a jar needs.
 *
 * @param environment the variables of this process
 * @param properties looks up the system properties
 */
record ProgramSearch(Map<String, String> environment, Function<String, @Nullable String> properties) {
    private static final int JAVA = 25;
    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    static ProgramSearch ofThisProcess() {
        return new ProgramSearch(System.getenv(), System::getProperty);
    }

    /** The kubeconfig of a cluster that runs, if one is named. */
    Optional<Path> running() {
        return named("kopf4j.devcluster.kubeconfig", "KOPF4J_RUNNING_DEVCLUSTER");
    }

    /**
     * The command up to the options of the cluster.
     *
     * @throws IllegalStateException if there is none; the message says what to do
     */
    List<String> command(Optional<Path> given) {
        Optional<Path> named = given.or(() -> named("kopf4j.devcluster", "KOPF4J_DEVCLUSTER"));
        return named.map(this::commandOf)
                .or(() -> onPath("kopf4j-devcluster").or(() -> onPath("kopf4j")).map(ProgramSearch::commandOfProgram))
                .orElseThrow(() -> new IllegalStateException("there is no dev cluster to start: unpack"
                        + " kopf4j-devcluster-VERSION-PLATFORM.tar.gz, and name its folder by the environment variable"
                        + " KOPF4J_DEVCLUSTER, by -Dkopf4j.devcluster=FOLDER or by LaunchOptions.program; or put"
                        + " kopf4j-devcluster on the PATH"));
    }

    private Optional<Path> named(String property, String variable) {
        return Optional.ofNullable(properties.apply(property))
                .or(() -> Optional.ofNullable(environment.get(variable)))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    private List<String> commandOf(Path place) {
        if (Files.isDirectory(place)) {
            return Stream.of("kopf4j-devcluster", "kopf4j")
                    .map(name -> place.resolve("bin").resolve(WINDOWS ? name + ".cmd" : name))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .map(ProgramSearch::commandOfProgram)
                    .orElseThrow(() -> new IllegalStateException(place + " is no folder of a dev cluster: there is"
                            + " neither bin/kopf4j-devcluster nor bin/kopf4j in it"));
        }
        if (!Files.isRegularFile(place)) {
            throw new IllegalStateException("there is no dev cluster at " + place);
        }
        return place.toString().endsWith(".jar") ? commandOfJar(place) : commandOfProgram(place);
    }

    /** With the collector and the compiler of the distribution's own program: it lives for tests, not for years. */
    private List<String> commandOfJar(Path jar) {
        return List.of(
                java().toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", jar.toString(), "devcluster");
    }

    /** The program of the archive is the cluster alone; that of the distribution has it as a command. */
    private static List<String> commandOfProgram(Path program) {
        boolean alone = String.valueOf(program.getFileName()).startsWith("kopf4j-devcluster");
        return alone ? List.of(program.toString()) : List.of(program.toString(), "devcluster");
    }

    private Optional<Path> onPath(String name) {
        String file = WINDOWS ? name + ".cmd" : name;
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, file))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The program {@code java} of a JDK that is new enough: the lowest version of those that fit. */
    Path java() {
        List<Path> homes = new ArrayList<>();
        Optional.ofNullable(environment.get("JAVA_HOME")).map(Path::of).ifPresent(homes::add);
        homes.add(Path.of(System.getProperty("java.home")));
        String user = System.getProperty("user.home", "/");
        Stream.of(
                        "/usr/lib/jvm",
                        "/usr/lib64/jvm",
                        "/opt",
                        "/opt/java",
                        "/Library/Java/JavaVirtualMachines",
                        user + "/Library/Java/JavaVirtualMachines",
                        user + "/.jdks",
                        user + "/.sdkman/candidates/java",
                        user + "/.gradle/jdks")
                .map(Path::of)
                .flatMap(ProgramSearch::folders)
                .forEach(homes::add);
        return homes.stream()
                .filter(home -> version(home) >= JAVA)
                .min(Comparator.comparingInt(ProgramSearch::version))
                .map(home -> home.resolve("bin").resolve(WINDOWS ? "java.exe" : "java"))
                .orElseThrow(() -> new IllegalStateException("the dev cluster's jar needs Java " + JAVA
                        + " or later, and none is found: set JAVA_HOME to one, or take the archive, which brings its"
                        + " own Java"));
    }

    private static Stream<Path> folders(Path parent) {
        if (!Files.isDirectory(parent) || !Files.isReadable(parent)) {
            return Stream.empty();
        }
        try (Stream<Path> found = Files.list(parent)) {
            return found
                    .flatMap(home -> Stream.of(home, home.resolve("Contents").resolve("Home")))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for Java in " + parent, e);
        }
    }

    /** The major version that a JDK's file {@code release} tells; 0 if there is none. */
    private static int version(Path home) {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(release)) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION=\""))
                    .map(line -> line.substring(line.indexOf('"') + 1).replaceFirst("\\D.*", ""))
                    .filter(digits -> !digits.isEmpty())
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + release, e);
        }
    }
}
