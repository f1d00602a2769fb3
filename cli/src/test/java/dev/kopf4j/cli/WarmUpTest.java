package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kopf4j warm-up}, and how the program starts Java, with one that does nothing but write the cache that it is
 * asked for.
 */
@DisabledOnOs(OS.WINDOWS)
class WarmUpTest {
    private static final String WRITES_THE_CACHE = """
            #!/bin/sh
            for argument; do
                case $argument in
                    -XX:AOTCacheOutput=*) echo "the cache" > "${argument#*=}" ;;
                esac
            done
            """;

    @TempDir
    private Path folder;

    private Path caches;
    private final Map<String, String> environment = new HashMap<>();

    private record Result(int exitCode, String err) {}

    @BeforeEach
    void makeDistribution() throws IOException {
        caches = folder.resolve("kopf4j/cache");
        Path jdk = folder.resolve("jdk");
        Files.createDirectories(folder.resolve("kopf4j/lib"));
        Files.createDirectories(folder.resolve("kopf4j/warm-up"));
        Files.copy(Path.of("src/main/dist/warm-up/manifests.yaml"), folder.resolve("kopf4j/warm-up/manifests.yaml"));
        Files.writeString(folder.resolve("kopf4j/lib/kopf4j-cli-1.jar"), "");
        program("kopf4j/bin/find-jdk", "#!/bin/sh\necho '" + jdk + "'\n");
        program("jdk/bin/java", WRITES_THE_CACHE);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        Files.copy(
                Path.of("src/main/dist/bin/kopf4j"),
                folder.resolve("kopf4j/bin/kopf4j"),
                StandardCopyOption.COPY_ATTRIBUTES);
    }

    private void program(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Result warmUp(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(
                List.of("/bin/sh", folder.resolve("kopf4j/bin/kopf4j").toString(), "warm-up"));
        command.addAll(List.of(arguments));
        var builder =
                new ProcessBuilder(command).redirectOutput(folder.resolve("out").toFile());
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(environment);
        var process = builder.start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), err);
    }

    private List<String> made() throws IOException {
        try (Stream<Path> files = Files.list(caches)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void makesTheCacheAndLeavesNothingElse() throws Exception {
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(made()).singleElement().asString().endsWith("-run.aot");
    }

    /** Or else what it rehearses would stand in the user's data, kubeconfigs and ports. */
    @Test
    void theRehearsalHearsNothingOfTheOptionsOfTheUsersOwnOperators() throws Exception {
        environment.put("KOPF4J_RUN_DATA", folder.resolve("data").toString());
        environment.put(
                "KOPF4J_DEVCLUSTER_KUBECONFIG", folder.resolve("kubeconfig").toString());
        environment.put("KOPF4J_SETTINGS_PEERING_NAME", "ours\nKOPF4J_RUN_NAMESPACE=theirs");
        program("jdk/bin/java", WRITES_THE_CACHE + "env > '" + folder + "/environment'\n");

        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(folder.resolve("environment")).content().contains("LC_ALL=C").doesNotContain("KOPF4J_");
    }

    /** It could not listen where the program itself does, and would fail for a day. */
    @Test
    void theRehearsalHasNoDebuggerAndNoAgents() throws Exception {
        environment.put("JAVA_TOOL_OPTIONS", "-agentlib:jdwp=transport=dt_socket,server=y,address=5005 -Xss2m");
        environment.put("JDK_JAVA_OPTIONS", "-javaagent:/a.jar -Dquoted='a  b'");
        environment.put("_JAVA_OPTIONS", "-Dquoted='a  b'");
        program("jdk/bin/java", WRITES_THE_CACHE + "env > '" + folder + "/environment'\n");

        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(folder.resolve("environment"))
                .content()
                .contains("JAVA_TOOL_OPTIONS= -Xss2m\n", "JDK_JAVA_OPTIONS= -Dquoted=", "_JAVA_OPTIONS=-Dquoted=")
                .doesNotContain("-agentlib", "-javaagent");
    }

    /** A loss of power may leave less of a file than its name. */
    @Test
    void theCacheIsOnTheDiskBeforeItHasItsName() throws Exception {
        program("tools/sync", "#!/bin/sh\n[ -s \"$1\" ] && echo \"$1\" > '" + folder + "/synced'\n");
        environment.put("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"));

        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(folder.resolve("synced")).content().endsWith("/making-run/new.aot\n");
    }

    @Test
    void anEmptyCacheIsNone() throws Exception {
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        Path cache = caches.resolve(made().getFirst());
        Files.writeString(cache, "");
        Files.createDirectories(caches.resolve("making-run"));

        assertThat(cacheOf("version")).isEmpty();
    }

    /**
     * Otherwise a cache of the build of an image would not be found where that runs, and one of last month not today.
     */
    @Test
    void theCacheIsThatOfTheContentOfTheJarsWhateverTheirDatesAndTheTimeZone() throws Exception {
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        List<String> first = made();
        Path jar = folder.resolve("kopf4j/lib/kopf4j-cli-1.jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
        environment.put("TZ", "Pacific/Auckland");
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(made()).isEqualTo(first);
        FileTime time = Files.getLastModifiedTime(jar);
        List<String> others = new ArrayList<>();
        for (String content : List.of("one", "two")) {
            Files.writeString(jar, content);
            Files.setLastModifiedTime(jar, time);
            assertThat(warmUp()).isEqualTo(new Result(0, ""));
            others.addAll(made());
        }
        Path digest = folder.resolve("kopf4j/lib/digest");
        for (String content : List.of("a1\n", "a2\n")) {
            Files.writeString(digest, content);
            assertThat(warmUp()).isEqualTo(new Result(0, ""));
            others.addAll(made());
        }
        assertThat(others).hasSize(4).doesNotHaveDuplicates().doesNotContainAnyElementsOf(first);
        assertThat(others).last().asString().contains("-a2-run");
    }

    private Path javaThatTellsItsArguments() throws IOException {
        program("jdk/bin/java", "#!/bin/sh\nfor argument; do echo \"$argument\"; done > '" + folder + "/arguments'\n");
        return folder.resolve("arguments");
    }

    private List<String> started(String... arguments) throws IOException, InterruptedException {
        Path told = javaThatTellsItsArguments();
        start(folder, folder.resolve("kopf4j/bin/kopf4j").toString(), arguments);
        return Files.readAllLines(told);
    }

    private void start(Path from, String program, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("/bin/sh", program));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .directory(from.toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(environment);
        var process = builder.start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        awaitTheMakingOfCaches();
    }

    /** The program makes its cache in the background, and would write while the folder is deleted. */
    private void awaitTheMakingOfCaches() {
        ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").contains(folder.toString()))
                .forEach(each -> each.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    }

    private String cacheOf(String... arguments) throws IOException, InterruptedException {
        return started(arguments).stream().filter(each -> each.endsWith(".aot")).collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator.jar", "classes", "-m dev.example.Handlers"})
    void operatorsOfClassFilesStartWithoutTheCompilerInTheCache(String argument) throws Exception {
        Files.createDirectories(folder.resolve("classes"));
        program("jdk/bin/javac", "#!/bin/sh\n");
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(warmUp("operator")).isEqualTo(new Result(0, ""));

        assertThat(cacheOf(("run " + argument).split(" "))).endsWith("-operator.aot");
    }

    @Test
    void operatorsOfClassFilesStartWithTheOtherCacheUntilThereIsTheirs() throws Exception {
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        Files.createDirectories(caches.resolve("making-operator"));

        assertThat(cacheOf("run", "operator.jar")).endsWith("-run.aot");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run Operator.java",
                "run sources",
                "run --reload operator.jar",
                "run --devcluster operator.jar",
                "manifests operator.jar"
            })
    void whatNeedsMoreStartsWithTheCacheOfAll(String arguments) throws Exception {
        Files.createDirectories(folder.resolve("sources/dev"));
        Files.writeString(folder.resolve("sources/dev/Operator.java"), "");
        program("jdk/bin/javac", "#!/bin/sh\n");
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(warmUp("operator")).isEqualTo(new Result(0, ""));

        assertThat(cacheOf(arguments.split(" "))).endsWith("-run.aot");
    }

    /** What has lost a task would go on as if all were well; other commands end at an error anyway. */
    @ParameterizedTest
    @CsvSource({"run operator.jar, true", "run --devcluster Operator.java, true", "manifests operator.jar, false"})
    void operatorsEndWithoutMemoryUnlessSomebodySaysOtherwise(String arguments, boolean ends) throws Exception {
        program("jdk/bin/javac", "#!/bin/sh\n");
        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(warmUp("operator")).isEqualTo(new Result(0, ""));
        environment.put("KOPF4J_JAVA_OPTS", "-XX:-ExitOnOutOfMemoryError");

        List<String> options = started(arguments.split(" "));
        assertThat(options.contains("-XX:+ExitOnOutOfMemoryError")).isEqualTo(ends);
        assertThat(options.indexOf("-XX:-ExitOnOutOfMemoryError"))
                .isGreaterThan(options.indexOf("-XX:+ExitOnOutOfMemoryError"));
    }

    /** The JVM refuses two collectors, and the sizes of the one's generations are not those of another. */
    @ParameterizedTest
    @CsvSource({
        "KOPF4J_JAVA_OPTS, -Xmx64m, true",
        "KOPF4J_JAVA_OPTS, -Xmx64m -XX:+UseG1GC, false",
        "JAVA_TOOL_OPTIONS, -XX:+UseParallelGC -Xmx64m, false",
        "JDK_JAVA_OPTIONS, -XX:+UseZGC, false",
        "_JAVA_OPTIONS, -XX:+UseG1GC, false",
        "JAVA_TOOL_OPTIONS, -XX:+UseStringDeduplication *, true",
        "JAVA_TOOL_OPTIONS, -XX:+UseSerialGC, true"
    })
    void theCollectorOfTheUserWins(String variable, String options, boolean ours) throws Exception {
        environment.put(variable, options);
        environment.put("KOPF4J_CACHE", "off");

        assertThat(started("run", "Operator.java").stream()
                        .filter(each -> each.matches("-XX:\\+UseSerialGC|-Xmn.*|-XX:SurvivorRatio.*"))
                        .toList())
                .hasSize(ours ? 3 : 0);
    }

    /** Java would have ASCII only; but what does not exist on a system must not be handed on to other programs. */
    @ParameterizedTest
    @CsvSource({
        "'',     '',    '',          UTF-8, '',      C.UTF-8",
        "'',     '',    C,           UTF-8, '',      C.UTF-8",
        "C,      '',    de_DE.UTF-8, UTF-8, C.UTF-8, C.UTF-8",
        "'',     POSIX, de_DE.UTF-8, UTF-8, '',      C.UTF-8",
        "'',     '',    de_DE.UTF-8, UTF-8, '',      ''",
        "'',     '',    de_DE,       UTF-8, '',      ''",
        "POSIX,  '',    '',          ASCII, POSIX,   ''",
    })
    void theLocaleHasAllCharactersWhereNoneIsChosen(
            String all, String characters, String language, String known, String allAfter, String charactersAfter)
            throws Exception {
        program("jdk/bin/java", "#!/bin/sh\necho \"$LC_ALL, $LC_CTYPE, $LANG\" > '" + folder + "/locale'\n");
        program("tools/locale", "#!/bin/sh\necho " + known + "\n");
        environment.putAll(Map.of("LC_ALL", all, "LC_CTYPE", characters, "LANG", language, "KOPF4J_CACHE", "off"));
        environment.put("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"));

        start(folder, folder.resolve("kopf4j/bin/kopf4j").toString(), "version");
        assertThat(folder.resolve("locale"))
                .content()
                .isEqualTo(allAfter + ", " + charactersAfter + ", " + language + "\n");
    }

    /** Also where `cd` would go elsewhere, and print where that is. */
    @Test
    void startsTheInstallationThatIsNamed() throws Exception {
        Path told = javaThatTellsItsArguments();
        Files.createDirectories(folder.resolve("other/bin"));
        environment.put("CDPATH", folder.resolve("other") + ":.");
        environment.put("KOPF4J_CACHE", "off");

        start(folder.resolve("kopf4j"), "bin/kopf4j", "version");
        assertThat(told).content().contains(folder.toRealPath() + "/kopf4j/lib/kopf4j-cli-1.jar");
    }

    @Test
    void saysThatJavaCannotStartFromAPathWithAColon() throws Exception {
        Files.move(folder.resolve("kopf4j"), folder.resolve("a:b"));

        start(folder, folder.resolve("a:b/bin/kopf4j").toString(), "version");
        assertThat(folder.resolve("err"))
                .content()
                .contains("kopf4j: Java cannot start what lies in " + folder.toRealPath() + "/a:b: ", "Move");
    }

    /** What the JVM takes for several files would keep it from starting. */
    @Test
    void startsWithoutACacheThatCannotBeNamed() throws Exception {
        assumeTrue(folder.resolve("kopf4j").toFile().setWritable(false));
        assumeFalse(Files.isWritable(folder.resolve("kopf4j")), "root may write anywhere");
        environment.put("XDG_CACHE_HOME", folder.resolve("c:d").toString());

        Result result = warmUp();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("cannot be made in " + folder + "/c:d/", "Set XDG_CACHE_HOME");
        assertThat(cacheOf("version")).isEmpty();
        assertThat(folder.resolve("c:d")).doesNotExist();
    }

    @Test
    void saysThatAnotherProcessIsMakingItAndLeavesThatAlone() throws Exception {
        Path making = Files.createDirectories(caches.resolve("making-run"));

        Result second = warmUp();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err())
                .startsWith("kopf4j: the start-up cache is being made by another process")
                .contains("delete " + making)
                .doesNotContain("mkdir", "File exists");
        assertThat(made()).containsExactly("making-run");
    }

    @Test
    void takesOverFromAProcessThatWasKilledLongAgo() throws Exception {
        Path making = Files.createDirectories(caches.resolve("making-run"));
        Files.setLastModifiedTime(making, FileTime.from(Instant.now().minus(Duration.ofMinutes(12))));

        assertThat(warmUp()).isEqualTo(new Result(0, ""));
        assertThat(made()).singleElement().asString().endsWith("-run.aot");
    }

    /** Also if the shell cannot do it itself any more. */
    @ParameterizedTest
    @CsvSource({"warm-up, TERM", "warm-up, KILL", "warm-up operator, TERM", "warm-up operator, KILL"})
    void whoStopsItLeavesNoProcessBehind(String arguments, String signal) throws Exception {
        program("jdk/bin/javac", "#!/bin/sh\n");
        program("jdk/bin/java", "#!/bin/sh\necho $$ >> '" + folder + "/started'\nexec sleep 600\n");
        var command = new ArrayList<>(
                List.of("/bin/sh", folder.resolve("kopf4j/bin/kopf4j").toString()));
        command.addAll(List.of(arguments.split(" ")));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        Path started = folder.resolve("started");
        await().atMost(Duration.ofSeconds(10)).until(() -> Files.exists(started) && Files.size(started) > 0);
        ProcessHandle java = ProcessHandle.of(
                        Long.parseLong(Files.readString(started).strip()))
                .orElseThrow();
        assertThat(java.isAlive()).isTrue();

        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();

        await().atMost(Duration.ofSeconds(10)).until(() -> !process.isAlive() && !java.isAlive());
        awaitTheMakingOfCaches();
        assertThat(made()).isEmpty();
    }

    /** Busy and emulated machines need minutes; a second one that begins afresh would take this one's folder away. */
    @Test
    void isEndedWhenItsTimeIsOverAndDoesNotCountAsLeftBehindUntilThen() throws Exception {
        Path making = caches.resolve("making-run");
        program("jdk/bin/java", """
                #!/bin/sh
                touch -t 200101010000 '%1$s'
                while [ -n "$(find '%1$s' -prune -mmin +10)" ]; do /bin/sleep 0.05; done
                echo yes > '%2$s/young'
                exec /bin/sleep 600
                """.formatted(making, folder));
        program("tools/sleep", "#!/bin/sh\n"); // a second of the guard
        environment.put("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"));

        Result result = warmUp();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("kopf4j: the start-up cache was not made within 15 minutes");
        assertThat(folder.resolve("young")).exists();
        awaitTheMakingOfCaches();
        assertThat(made()).singleElement().asString().endsWith("-run.failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void helpMakesNoCache(String option) throws Exception {
        assertThat(warmUp(option)).isEqualTo(new Result(0, ""));
        assertThat(folder.resolve("out")).content().startsWith("Usage: kopf4j warm-up");
        assertThat(caches).doesNotExist();
    }

    @Test
    void anUnknownUseIsWrongUsage() throws Exception {
        Result result = warmUp("rum");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("warm-up does not know: rum", "--help");
        assertThat(caches).doesNotExist();
    }

    @Test
    void saysThatThereIsNoPlaceForIt() throws Exception {
        Files.writeString(caches, "a file");

        Result result = warmUp();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("kopf4j: the start-up cache cannot be made: " + caches
                        + " is no folder, and none can be made there\n");
    }

    /** It has a cache all the same, but one of what goes wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"run", "operator", "devcluster"})
    void failsIfTheRehearsalFails(String use) throws Exception {
        program("jdk/bin/javac", "#!/bin/sh\n");
        program("jdk/bin/java", WRITES_THE_CACHE + """
                case " $* " in *" devcluster "*) exit 0 ;; esac
                echo "no operator" >&2
                exit 1
                """);

        Result result = warmUp(use);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("no operator", "kopf4j: the start-up cache was not made");
        assertThat(made()).singleElement().asString().endsWith("-" + use + ".failed");
    }

    @Test
    void failsIfTheRehearsalMakesNone() throws Exception {
        program("jdk/bin/java", "#!/bin/sh\necho 'no memory' >&2\nexit 1\n");

        Result result = warmUp();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("no memory", "kopf4j: the start-up cache was not made");
        assertThat(made()).singleElement().asString().endsWith("-run.failed");
    }

    /** For a lack of room, say, each command would take half a minute of the processors, and store nothing. */
    @Test
    void whatCannotBeMadeIsTriedOnceADay() throws Exception {
        Path rehearsals = folder.resolve("rehearsals");
        String counts = "case \" $* \" in *AOTCacheOutput*) echo x >> '" + rehearsals + "' ;; esac\n";
        program("jdk/bin/java", "#!/bin/sh\n" + counts + "exit 1\n");
        String kopf4j = folder.resolve("kopf4j/bin/kopf4j").toString();
        start(folder, kopf4j, "version");
        start(folder, kopf4j, "version");
        assertThat(rehearsals).content().isEqualTo("x\n");

        Path failed = caches.resolve(made().getFirst());
        Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        start(folder, kopf4j, "version");
        start(folder, kopf4j, "version");
        assertThat(rehearsals).content().isEqualTo("x\nx\n");

        program("jdk/bin/java", WRITES_THE_CACHE);
        assertThat(warmUp()).as("tries at once").isEqualTo(new Result(0, ""));
        assertThat(made()).singleElement().asString().endsWith("-run.aot");
    }
}
