package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.e2e.DocumentedPage.Block;
import dev.kopf4j.e2e.DocumentedPage.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Types the commands of the examples' pages, each page in a folder that has the examples. Operators and clusters go on,
 * each in a terminal of its own. The comment behind a command says what comes of it: {@code prints} and {@code logs},
 * up to a semicolon, what the command or the operator writes, {@code refused} and {@code fails} that it does not
 * succeed; all others succeed.
 */
@Tag("L70")
@Execution(ExecutionMode.CONCURRENT)
class ExampleReadmesTest {
    private static final Path EXAMPLES = Kopf4j.ROOT.resolve("examples");
    private static final Pattern LINE = Pattern.compile("(.*?)(?:\\s+# (.*))?");
    private static final Pattern WRITES = Pattern.compile("(prints|logs) ([^;]*)(?:;.*)?");
    private static final Pattern FAILS = Pattern.compile("(?:refused|fails)\\b.*");
    private static final Pattern WATCHES = Pattern.compile("kubectl get .*(?:-w|--watch)\\b.*");

    @TempDir
    private Path folder;

    static Stream<String> pages() throws IOException {
        String only = System.getProperty("kopf4j.page", "");
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files
                    .map(file -> file.resolve("README.md"))
                    .filter(Files::exists)
                    .map(page -> Kopf4j.ROOT.relativize(page).toString())
                    .filter(page -> page.contains(only))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void sayWhatHappens(String page) throws IOException {
        Kubectl.require();
        try (DocumentedSession session = new DocumentedSession(folder, "bash")) {
            giveRepository();
            for (Block block : DocumentedPage.read(Kopf4j.ROOT, page).blocks()) {
                for (Command command : block.commands()) {
                    type(session, command);
                }
            }
            session.stop();
        }
    }

    private void giveRepository() throws IOException {
        TextFile.script(folder.resolve("kopf4j"), "exec " + Kopf4j.program() + " \"$@\"\n");
        for (String part : List.of("bin", "cli", "examples")) {
            Files.createSymbolicLink(folder.resolve(part), Kopf4j.ROOT.resolve(part));
        }
    }

    private static void type(DocumentedSession session, Command typed) {
        if (typed.line().startsWith("./mvnw")) {
            return; // it is this build
        }
        if (typed.output() != null) {
            session.awaitOutput(typed.line(), typed.output());
            return;
        }
        Matcher parts = LINE.matcher(typed.line());
        assertThat(parts.matches()).isTrue();
        String command = parts.group(1);
        String comment = parts.group(2) == null ? "" : parts.group(2);
        Matcher writes = WRITES.matcher(comment);
        if (DocumentedSession.goesOn(command)) {
            session.open(command);
        } else if (WATCHES.matcher(command).matches()) {
            session.watch(command);
        } else if (writes.matches() && writes.group(1).equals("prints")) {
            session.awaitOutput(command, writes.group(2));
        } else {
            session.awaitExit(command, FAILS.matcher(comment).matches() ? 1 : 0);
            if (writes.matches()) {
                session.awaitLog(writes.group(2));
            }
        }
    }
}
