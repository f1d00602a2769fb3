package dev.kopf4j.cli.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link NewProject}: what is left of a project that could not be finished. */
@Tag("P53")
class TakenBackProjectTest {
    @TempDir
    private Path folder;

    private NewProject project(String place) {
        return NewProject.in(
                folder.resolve(place), ProjectKind.MAVEN, new ProjectNames("greeting-operator", "example.com"));
    }

    @Test
    void nothingIsLeftOfItButFoldersThatWereThere() throws IOException {
        NewProject project = project("some/new");
        project.write();
        project.takeBack(new IllegalStateException());
        assertThat(folder).isEmptyDirectory();

        Path before = Files.createDirectories(folder.resolve("empty"));
        NewProject second = project("empty");
        second.write();
        second.takeBack(new IllegalStateException());
        assertThat(before).isEmptyDirectory();
    }

    @Test
    void filesOfOthersStay() throws IOException {
        NewProject project = project("new");
        project.write();
        Path file = Files.writeString(folder.resolve("new/src/main/notes.txt"), "mine");
        project.takeBack(new IllegalStateException());
        assertThat(file).hasContent("mine");
        assertThat(folder.resolve("new/src/test")).doesNotExist();
        assertThat(folder.resolve("new/pom.xml")).doesNotExist();
    }

    @Test
    void aFileThatCannotBeWrittenLeavesNoFolder() throws IOException {
        NewProject project = project("new");
        Files.createDirectories(folder.resolve("new"));
        Files.writeString(folder.resolve("new/src"), "in the way");
        assertThatThrownBy(project::write).hasMessageContaining("Writing the project failed");
        try (var left = Files.list(folder.resolve("new"))) {
            assertThat(left).containsExactly(folder.resolve("new/src"));
        }
    }
}
