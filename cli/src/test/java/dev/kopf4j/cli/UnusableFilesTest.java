package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever file is given, and whatever is wrong with it: the message names it, and says what is wrong in words. */
class UnusableFilesTest {
    private static final String MISSING = "there is no such file";
    private static final String NO_FOLDER = "there is no folder ";
    private static final String FOLDER = "it is a folder, not a file";
    private static final String NO_TEXT = "it is no text in UTF-8";
    private static final String BELOW_A_FILE = "a part of the path is a file";

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectory(folder.resolve("folder"));
        Files.writeString(folder.resolve("folder/entry"), "");
        Files.writeString(folder.resolve("file"), "");
        Files.write(folder.resolve("latin1.yaml"), new byte[] {'a', ':', ' ', (byte) 0xE4});
        Files.writeString(folder.resolve("text.jar"), "no jar");
        Files.writeString(folder.resolve("locked"), "a: b");
        Files.writeString(
                folder.resolve("Example.java"),
                "class Example { @dev.kopf4j.OnCreate(\"kopfexamples\") void fn() {} }");
    }

    private static Arguments of(String file, String words, String... command) {
        return Arguments.of(file, words, List.of(command));
    }

    static Stream<Arguments> commands() {
        return Stream.of(
                of("none.yaml", MISSING, "config", "--config", "none.yaml"),
                of("none/none.yaml", NO_FOLDER, "config", "--config", "none/none.yaml"),
                of("folder", FOLDER, "config", "--config", "folder"),
                of("latin1.yaml", NO_TEXT, "config", "--config", "latin1.yaml"),
                of("file/none.yaml", BELOW_A_FILE, "config", "--config", "file/none.yaml"),
                of("none.yaml", MISSING, "run", "-A", "--config", "none.yaml", "Example.java"),
                of("none", MISSING, "run", "-A", "--kubeconfig", "none", "Example.java"),
                of("folder", FOLDER, "run", "-A", "--kubeconfig", "folder", "Example.java"),
                of("latin1.yaml", NO_TEXT, "run", "-A", "--kubeconfig", "latin1.yaml", "Example.java"),
                of("none", MISSING, "freeze", "-A", "-P", "peers", "--lifetime", "60", "--kubeconfig", "none"),
                of("folder", FOLDER, "resume", "-A", "-P", "peers", "--kubeconfig", "folder"),
                of("None.java", MISSING, "run", "-A", "None.java"),
                of("none.jar", MISSING, "run", "-A", "none.jar"),
                of("text.jar", "it is no jar", "run", "-A", "text.jar"),
                of("none.yaml", MISSING, "run", "--devcluster", "--apply", "none.yaml", "Example.java"),
                of("none.yaml", MISSING, "devcluster", "--apply", "none.yaml"),
                of("latin1.yaml", NO_TEXT, "devcluster", "--apply", "latin1.yaml"),
                of("folder", FOLDER, "devcluster", "--kubeconfig", "folder"),
                of("none/kubeconfig", NO_FOLDER, "devcluster", "--kubeconfig", "none/kubeconfig"),
                of("file", "is there already, and is no folder", "devcluster", "--data", "file"),
                of("file/data", BELOW_A_FILE, "devcluster", "--data", "file/data"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void areNamedAndWhatIsWrongIsSaidInWords(String file, String words, List<String> command) {
        assertRefused(file, words, command);
    }

    static Stream<Arguments> commandsOnALockedFile() {
        return Stream.of(
                Arguments.of(List.of("config", "--config", "locked")),
                Arguments.of(List.of("run", "-A", "--kubeconfig", "locked", "Example.java")),
                Arguments.of(List.of("devcluster", "--apply", "locked")),
                Arguments.of(List.of("devcluster", "--kubeconfig", "locked")));
    }

    @ParameterizedTest
    @MethodSource("commandsOnALockedFile")
    void areToldApartFromThoseThatMayNotBeRead(List<String> command) {
        assertThat(folder.resolve("locked").toFile().setReadable(false)).isTrue();
        assumeFalse(Files.isReadable(folder.resolve("locked")), "root may read everything");
        assertRefused("locked", "has no permission for it", command);
    }

    private void assertRefused(String file, String words, List<String> command) {
        CommandRun run = CommandRun.of(command.stream().map(this::resolved).toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isIn(ExitCode.USAGE, ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith("kopf4j: ")
                .contains(folder.resolve(file).toString(), words)
                .doesNotContain("Exception", "java.", "--debug");
        assertThat(count(run.err(), words)).isOne();
    }

    /** A name of a file, not of a command or an option. */
    private String resolved(String argument) {
        return Stream.of(".", "/", "file", "folder", "locked", "none").anyMatch(argument::contains)
                        && !argument.startsWith("-")
                ? folder.resolve(argument).toString()
                : argument;
    }

    private static long count(String text, String words) {
        return Arrays.stream(text.split("\n", -1))
                .filter(line -> line.contains(words))
                .count();
    }
}
