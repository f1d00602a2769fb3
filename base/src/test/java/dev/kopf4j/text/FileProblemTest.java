package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FileProblemTest {
    private static final Path FILE = Path.of("my.yaml");
    private static final String USER = System.getProperty("user.name");
    private static final String NAME = FILE.toString();

    @TempDir
    private Path folder;

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException(NAME), List.of("there is no such file", "check the path")),
                Arguments.of(
                        new NoSuchFileException("/no-such-folder/my.yaml"),
                        List.of("there is no folder /no-such-folder", "make it")),
                Arguments.of(new FileNotFoundException("my.yaml (No such file)"), List.of("there is no such file")),
                Arguments.of(
                        new AccessDeniedException(NAME), List.of("'" + USER + "' has no permission for it", "chmod")),
                Arguments.of(new AccessDeniedException("/locked"), List.of("has no permission for /locked")),
                Arguments.of(new FileAlreadyExistsException(NAME), List.of("it is there already", "is no folder")),
                Arguments.of(new FileAlreadyExistsException("/file"), List.of("/file is there already")),
                Arguments.of(new DirectoryNotEmptyException(NAME), List.of("it is a folder, not a file")),
                Arguments.of(new NotDirectoryException(NAME), List.of("it is a file, not a folder")),
                Arguments.of(new IOException("Is a directory"), List.of("it is a folder, not a file")),
                Arguments.of(
                        new FileSystemException(NAME, null, "Not a directory"),
                        List.of("a part of the path is a file", "check the path")),
                Arguments.of(
                        new FileSystemException(NAME, null, "No space left on device"),
                        List.of("the disk is full", "make room")),
                Arguments.of(new IOException("No space left on device"), List.of("the disk is full")),
                Arguments.of(
                        new FileSystemException(NAME, null, "Read-only file system"),
                        List.of("nothing can be written there")),
                Arguments.of(new FileSystemException(NAME, null, "File name too long"), List.of("File name too long")),
                Arguments.of(new FileSystemLoopException(NAME), List.of("the system refuses it")),
                Arguments.of(new MalformedInputException(1), List.of("no text in UTF-8", "save it")),
                Arguments.of(new ZipException("zip END header not found"), List.of("no jar", "END header")),
                Arguments.of(
                        new IOException("another dev cluster is using it"), List.of("another dev cluster is using it")),
                Arguments.of(new IOException(), List.of("the system refuses it (IOException)")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void saysInWordsWhatIsWrong(IOException failure, List<String> words) {
        assertThat(FileProblem.describe(FILE, failure))
                .contains(words)
                .doesNotContain("java.")
                .doesNotContain("NoSuch", "Denied", "Malformed", "null")
                .doesNotEndWith(".");
    }

    static Stream<Arguments> sentences() {
        return Stream.of(
                Arguments.of(
                        new UncheckedIOException("the folder /data cannot be used", new AccessDeniedException("/data")),
                        "the folder /data cannot be used: the user '" + USER + "' has no permission for it; give it"
                                + " (chmod, chown), or name another place"),
                Arguments.of(
                        new UncheckedIOException(
                                "the folder /data/kept cannot be used", new NotDirectoryException("/data")),
                        "the folder /data/kept cannot be used: /data is a file, not a folder"),
                Arguments.of(
                        new UncheckedIOException("the cluster cannot be restored", new NotDirectoryException("/file")),
                        "the cluster cannot be restored: /file is a file, not a folder"),
                Arguments.of(
                        new UncheckedIOException("the port 80 cannot be used", new IOException("Address in use")),
                        "the port 80 cannot be used: Address in use"),
                Arguments.of(
                        new UncheckedIOException("the port 80 is taken: in use", new IOException("in use")),
                        "the port 80 is taken: in use"),
                Arguments.of(
                        new UncheckedIOException(new FileAlreadyExistsException("/file")),
                        "a file cannot be used: /file is there already, and is no folder; name another place"));
    }

    @ParameterizedTest
    @MethodSource("sentences")
    void endsASentenceThatSaysWhatWasToBeDone(UncheckedIOException failure, String sentence) {
        assertThat(FileProblem.sentence(failure)).isEqualTo(sentence);
    }

    @Test
    void seesWhatIsWrongWithAFileWithoutOpeningIt() throws IOException {
        Path readable = Files.writeString(folder.resolve("file"), "");
        assertThat(FileProblem.whyUnreadable(readable)).isEmpty();
        assertThat(FileProblem.whyUnreadable(folder)).contains("it is a folder, not a file; name a file");
        assertThat(FileProblem.whyUnreadable(folder.resolve("none"))).contains("there is no such file; check the path");
        assertThat(FileProblem.whyUnreadable(folder.resolve("none/file")))
                .contains("there is no folder " + folder.resolve("none") + "; make it, or check the path");
    }

    /** What the JDK throws in fact, rather than what we think that it throws. */
    @Test
    void knowsWhatTheSystemSays() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(ofReading(folder)).isEqualTo("it is a folder, not a file; name a file");
        assertThat(ofReading(folder.resolve("none"))).isEqualTo("there is no such file; check the path");
        assertThat(ofReading(file.resolve("below")))
                .isEqualTo("a part of the path is a file, not a folder; check the path");
        Files.write(file, new byte[] {(byte) 0xC3, (byte) 0x28});
        assertThat(ofReading(file)).contains("no text in UTF-8");
    }

    private static String ofReading(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return FileProblem.describe(file, e);
        }
    }
}
