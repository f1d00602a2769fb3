package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages show of terminals is what people see: the {@code console} blocks of a page are one session, typed in
 * an empty folder with the files that the page names in the first line of a block ({@code // Name.java}, {@code #
 * name.yaml}). A line after {@code $} is a command, the lines below it are its output, {@code [...]} stands for
 * anything in a line. {@code kopf4j run} and {@code kopf4j devcluster} go on while the others run, with their
 * KUBECONFIG. Output that comes after a moment is waited for. Blocks that are not to be run are {@code sh} blocks.
 */
@Timeout(120)
@Tag("L72")
class DocumentedSessionsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
    private static final Pattern FILE = Pattern.compile("^(?://|#) ([\\w.-]+\\.(?:java|yaml|json|py))$");
    private static final Pattern GOES_ON = Pattern.compile("kopf4j (run|devcluster)\\b.*");

    @TempDir
    private Path folder;

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(Kopf4j.ROOT.resolve("docs"))) {
            return docs
                    .filter(page -> page.toString().endsWith(".md"))
                    .filter(DocumentedSessionsTest::hasSession)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static boolean hasSession(Path page) {
        try {
            return BLOCK.matcher(Files.readString(page)).results().anyMatch(DocumentedSessionsTest::isSession);
        } catch (IOException e) {
            throw new AssertionError("cannot read " + page, e);
        }
    }

    private static boolean isSession(MatchResult block) {
        return block.group(1).equals("console");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void areAsTheyAreShown(Path page) throws IOException {
        Kubectl.require();
        try (Session session = new Session(folder)) {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                Matcher name = FILE.matcher(block.group(2).lines().findFirst().orElse(""));
                if (name.matches()) {
                    Files.writeString(folder.resolve(name.group(1)), block.group(2));
                } else if (isSession(block)) {
                    session.type(block.group(2));
                }
            }
        }
    }

    /** One terminal, and what runs in others. */
    private static final class Session implements AutoCloseable {
        private final Path folder;
        private final Map<String, String> variables = new HashMap<>();
        private final Deque<RunningProgram> running = new ArrayDeque<>();

        Session(Path folder) {
            this.folder = folder;
            variables.put("HOME", folder.toString());
            variables.put("JAVA_HOME", System.getProperty("java.home"));
            variables.put("KOPF4J_CACHE", "off");
            variables.put("PATH", Kopf4j.program().getParent() + ":" + System.getenv("PATH"));
            variables.putAll(Kubectl.SHORT_LIVED);
        }

        void type(String block) {
            String command = null;
            List<String> expected = new ArrayList<>();
            for (String line : block.lines().toList()) {
                if (line.startsWith("$ ")) {
                    run(command, expected);
                    command = line.substring(2);
                    expected.clear();
                } else {
                    expected.add(line);
                }
            }
            run(command, expected);
        }

        private void run(@Nullable String command, List<String> expected) {
            if (command == null) {
                return;
            }
            if (GOES_ON.matcher(command).matches()) {
                goOn(command, expected);
            } else if (changes(command)) {
                assertThat(output(command)).as("%s", command).matches(asShown(expected));
            } else {
                await().atMost(Kopf4j.PATIENCE)
                        .pollInterval(Duration.ofMillis(200))
                        .untilAsserted(() ->
                                assertThat(output(command)).as("%s", command).matches(asShown(expected)));
            }
        }

        /** Commands that change something are typed once. */
        private static boolean changes(String command) {
            return !command.matches("(kubectl (get|describe|events|explain)|kopf4j (why|doctor|history)|cat|ls)\\b.*");
        }

        private static Pattern asShown(List<String> expected) {
            String[] parts = String.join("\n", expected).strip().split(Pattern.quote("[...]"), -1);
            return Pattern.compile(
                    String.join("[^\\n]*", Stream.of(parts).map(Pattern::quote).toList()));
        }

        private String output(String command) {
            try (RunningProgram program =
                    RunningProgram.start(folder, variables, List.of("sh", "-c", command + " 2>&1"))) {
                program.awaitExit(Kopf4j.PATIENCE);
                return program.output()
                        .lines()
                        .map(String::stripTrailing)
                        .reduce("", (a, b) -> a + b + "\n")
                        .strip();
            }
        }

        private void goOn(String command, List<String> expected) {
            RunningProgram program =
                    RunningProgram.start(folder, variables, List.of("sh", "-c", "exec " + command + " 2>&1"));
            running.push(program);
            for (String line : expected) {
                Pattern shown = asShown(List.of(line));
                await().atMost(Kopf4j.PATIENCE)
                        .pollInterval(Duration.ofMillis(50))
                        .untilAsserted(() -> assertThat(program.output().lines())
                                .as("%s", command)
                                .anyMatch(said -> shown.matcher(said).matches()));
            }
            program.output()
                    .lines()
                    .filter(said -> said.startsWith("export KUBECONFIG="))
                    .forEach(said -> variables.put("KUBECONFIG", said.substring("export KUBECONFIG=".length())));
        }

        @Override
        public void close() {
            running.forEach(RunningProgram::close);
        }
    }
}
