package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.e2e.DocumentedPage.Block;
import dev.kopf4j.e2e.DocumentedPage.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages show of terminals is what people see. The blocks of a page are one session, typed in a folder with the
 * files that the page names in the first line of a block ({@code // Name.java}, {@code # name.yaml}):
 *
 * <ul>
 *   <li>{@code console}: a line after {@code $} is a command, the lines below it are its output; {@code [...]} stands
 *       for anything in a line.
 *   <li>{@code sh}: each line is a command that succeeds.
 *   <li>{@code text}: the output of the last command of a script right above it.
 * </ul>
 *
 * <p>The files of the folder {@code reader} beside the scenes are what readers have of their own. What a page takes for
 * granted besides is told by a page of the same name in {@code scenes}: the blocks above its first heading come first,
 * those below {@code ## Before COMMAND} and {@code ## After COMMAND} at the command that begins like this. What cannot
 * be run has a line in {@code not-run.txt}.
 */
@Tag("L72")
@Execution(ExecutionMode.CONCURRENT)
class DocumentedSessionsTest {
    private static final Path RESOURCES = Kopf4j.ROOT.resolve("e2e/src/test/documents");

    @TempDir
    private Path folder;

    /** A line of the file of what is not run. */
    private record NotRun(String page, String beginning, String reason) {
        boolean concerns(DocumentedPage of, String line) {
            return page.equals(of.name()) && line.startsWith(beginning);
        }
    }

    static Stream<String> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Kopf4j.ROOT.resolve("docs"))) {
            List<String> names = docs.filter(page -> page.toString().endsWith(".md"))
                    .map(page -> Kopf4j.ROOT.relativize(page).toString())
                    .sorted()
                    .toList();
            return Stream.concat(Stream.of("README.md"), names.stream());
        }
    }

    static Stream<String> pagesToRun() throws IOException {
        List<NotRun> notRun = notRun();
        String only = System.getProperty("kopf4j.page", "");
        return pages().filter(name -> name.contains(only)).filter(name -> {
            DocumentedPage page = DocumentedPage.read(Kopf4j.ROOT, name);
            return page.blocks().stream()
                    .flatMap(block -> block.commands().stream())
                    .anyMatch(command -> isRun(notRun, page, command.line()));
        });
    }

    private static List<NotRun> notRun() throws IOException {
        List<NotRun> rows = new ArrayList<>();
        for (String line : Files.readAllLines(RESOURCES.resolve("not-run.txt"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" \\| ", 3);
                assertThat(parts).as("%s: page | first words | reason", line).hasSize(3);
                rows.add(new NotRun(parts[0], parts[1], parts[2]));
            }
        }
        return rows;
    }

    private static boolean isRun(List<NotRun> notRun, DocumentedPage page, String line) {
        return notRun.stream().noneMatch(row -> row.concerns(page, line));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pagesToRun")
    void areAsTheyAreShown(String name) throws IOException {
        Kubectl.require();
        List<NotRun> notRun = notRun();
        DocumentedPage page = DocumentedPage.read(Kopf4j.ROOT, name);
        try (DocumentedSession session = new DocumentedSession(folder)) {
            giveRepository(session);
            if (page.blocks().stream().allMatch(block -> block.file() == null)) {
                giveFilesOfReader(session);
            }
            DocumentedScene scene = new DocumentedScene(RESOURCES.resolve("scenes"), name, session);
            scene.begin();
            for (Block block : page.blocks()) {
                String file = block.file();
                if (file != null) {
                    session.write(file, block.text());
                }
                for (Command command : block.commands()) {
                    if (isRun(notRun, page, command.line())) {
                        scene.before(command.line());
                        session.type(command);
                        scene.after(command.line());
                    }
                }
                session.endScript();
            }
            scene.end();
        }
    }

    /** What {@code ./kopf4j} and the paths of the README mean in a copy of the repository. */
    private void giveRepository(DocumentedSession session) throws IOException {
        TextFile.script(folder.resolve("kopf4j"), "exec " + Kopf4j.program() + " \"$@\"\n");
        Path examples = Kopf4j.ROOT.resolve("examples");
        try (Stream<Path> files = Files.walk(examples, 2)) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(java|yaml)"))
                    .toList()) {
                session.write("examples/" + examples.relativize(file), Files.readString(file));
            }
        }
    }

    private static void giveFilesOfReader(DocumentedSession session) throws IOException {
        session.write("crd.yaml", TestCluster.manifest("examples/01-minimal/crd.yaml"));
        Path reader = RESOURCES.resolve("reader");
        try (Stream<Path> files = Files.walk(reader)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                session.write(reader.relativize(file).toString(), Files.readString(file));
            }
        }
    }

    /** A block without a language could be anything. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void eachBlockSaysWhatItIs(String name) throws IOException {
        List<NotRun> notRun = notRun();
        DocumentedPage page = DocumentedPage.read(Kopf4j.ROOT, name);
        for (Block block : page.blocks()) {
            assertThat(block.language())
                    .as("%s:%d: console, sh, text, or another language", name, block.line())
                    .isNotEmpty();
            assertThat(block.isOutput() && isRun(notRun, page, block.firstLine()))
                    .as("%s:%d: output that belongs to no command, and is not in not-run.txt", name, block.line())
                    .isFalse();
        }
        assertThat(Files.readAllLines(Kopf4j.ROOT.resolve(name)))
                .as("%s: commands between fences", name)
                .noneMatch(line -> line.matches(" {4,}(\\./)?(kopf4j|kubectl|helm|docker) .*"));
    }

    @Test
    void whatIsNotRunIsThere() throws IOException {
        for (NotRun row : notRun()) {
            DocumentedPage page = DocumentedPage.read(Kopf4j.ROOT, row.page());
            assertThat(page.blocks().stream()
                            .flatMap(block -> Stream.concat(
                                    block.commands().stream().map(Command::line),
                                    block.isOutput() ? Stream.of(block.firstLine()) : Stream.of())))
                    .as("%s", row)
                    .anyMatch(line -> row.concerns(page, line));
        }
    }
}
