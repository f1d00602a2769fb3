package dev.kopf4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestFilesTest {
    @TempDir
    private Path folder;

    @Test
    void takesTheYamlFilesBesideTheSourceButNotThoseBelow() throws IOException {
        Files.createDirectory(folder.resolve("sub.yaml"));
        write("b.yml", "kind: B");
        write("a.yaml", "kind: A");
        write("notes.txt", "kind: C");

        assertThat(ManifestFiles.beside(folder.resolve("Example.java"), null).documents())
                .isEqualTo("kind: A\n---\nkind: B");
    }

    @Test
    void takesTheFilesOfAFolder() throws IOException {
        write("a.yaml", "kind: A");

        assertThat(ManifestFiles.read(List.of(folder)).files()).containsExactly(folder.resolve("a.yaml"));
    }

    @Test
    void namesTheFileAndLineOfMalformedYaml() throws IOException {
        Path file = write("bad.yaml", "kind: A\n---\nspec: [1, 2\nother: x\n");

        var failure = failure(file);
        assertThat(failure).hasMessageContaining(file + " is not YAML, line 4, column");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void namesAMissingFile() {
        var failure = failure(folder.resolve("none.yaml"));

        assertThat(failure).hasMessageContaining("none.yaml");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    private static CommandException failure(Path file) {
        return catchThrowableOfType(CommandException.class, () -> ManifestFiles.read(List.of(file)));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
