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
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestFilesTest {
    @TempDir
    private Path folder;

    @Test
    void takesTheYamlFilesBesideTheSourceButNotThoseBelow() throws IOException {
        Files.createDirectory(folder.resolve("sub.yaml"));
        write("b.yml", "{apiVersion: v1, kind: B}");
        write("a.yaml", "{apiVersion: v1, kind: A}");
        write("notes.txt", "{apiVersion: v1, kind: C}");

        assertThat(ManifestFiles.beside(folder.resolve("Example.java"), null).documents())
                .isEqualTo("{apiVersion: v1, kind: A}\n---\n{apiVersion: v1, kind: B}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]",
                "resources: [a.yaml]",
                "apiVersion: v2\nname: chart\nversion: 1.0.0",
                "services: {web: {image: nginx}}",
                "{apiVersion: v1, kind: A}\n---\nimage: nginx",
                "- a\n- b",
                "just words"
            })
    void leavesOutTheFilesOfOtherPrograms(String text) throws IOException {
        write("a.yaml", "{apiVersion: v1, kind: A}\n---\n");
        write("other.yaml", text);

        var found = ManifestFiles.beside(folder.resolve("Example.java"), null);
        assertThat(found.files()).containsExactly(folder.resolve("a.yaml"));
        assertThat(found.leftOut()).containsExactly(folder.resolve("other.yaml"));
    }

    @Test
    void takesTheFilesOfAFolder() throws IOException {
        write("a.yaml", "kind: A");

        assertThat(ManifestFiles.read(List.of(folder)).files()).containsExactly(folder.resolve("a.yaml"));
    }

    /** It has its content once. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void takesAPipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process writer =
                new ProcessBuilder("/bin/sh", "-c", "echo '{apiVersion: v1, kind: A}' > '" + pipe + "'").start();

        ManifestFiles read = ManifestFiles.read(List.of(pipe));
        assertThat(read.documents()).isEqualTo("{apiVersion: v1, kind: A}\n");
        assertThat(read.leftOut()).isEmpty();
        assertThat(writer.waitFor()).isZero();
    }

    @Test
    void namesTheFilesThatHaveNothing() throws IOException {
        Path empty = write("empty.yaml", "# to be written\n");
        Path full = write("full.yaml", "{apiVersion: v1, kind: A}");
        assertThat(ManifestFiles.read(List.of(empty, full)).leftOut()).containsExactly(empty);
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
