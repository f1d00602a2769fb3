package dev.kopf4j.devcluster.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which program is started. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "programs have other names there")
class ProgramSearchTest {
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();

    @TempDir
    private Path folder;

    private ProgramSearch search() {
        return new ProgramSearch(environment, properties::get);
    }

    private Path program(String place) throws IOException {
        Path file = folder.resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void saysWhatToDoIfThereIsNone() {
        environment.put("PATH", folder.toString());
        assertThatThrownBy(() -> search().command(Optional.empty()))
                .hasMessageContaining("kopf4j-devcluster-VERSION-PLATFORM.tar.gz")
                .hasMessageContaining("KOPF4J_DEVCLUSTER");
    }

    @Test
    void takesWhatIsOnThePathLast() throws IOException {
        environment.put("PATH", folder.resolve("nowhere") + ":" + folder.resolve("a"));
        Path onPath = program("a/kopf4j");
        assertThat(search().command(Optional.empty())).containsExactly(onPath.toString(), "devcluster");
        Path alone = program("a/kopf4j-devcluster");
        assertThat(search().command(Optional.empty())).containsExactly(alone.toString());

        Path ofVariable = program("variable/bin/kopf4j-devcluster");
        environment.put("KOPF4J_DEVCLUSTER", folder.resolve("variable").toString());
        assertThat(search().command(Optional.empty())).containsExactly(ofVariable.toString());
        Path ofProperty = program("property/bin/kopf4j");
        properties.put("kopf4j.devcluster", folder.resolve("property").toString());
        assertThat(search().command(Optional.empty())).containsExactly(ofProperty.toString(), "devcluster");
        Path given = program("given/some-program");
        assertThat(search().command(Optional.of(given))).containsExactly(given.toString(), "devcluster");
    }

    @Test
    void refusesWhatIsNone() throws IOException {
        assertThatThrownBy(() -> search().command(Optional.of(folder.resolve("gone"))))
                .hasMessageContaining("there is no dev cluster at")
                .hasMessageContaining("gone");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> search().command(Optional.of(empty)))
                .hasMessageContaining("neither bin/kopf4j-devcluster nor bin/kopf4j");
    }

    @Test
    void runsAJarByAJavaThatIsNewEnough() throws IOException {
        Path jar = program("kopf4j-cli-1.jar");
        Path old = folder.resolve("jdk-17");
        Files.createDirectories(old);
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.2\"\n");
        environment.put("JAVA_HOME", old.toString());
        List<String> command = search().command(Optional.of(jar));
        assertThat(command.get(0)).doesNotContain("jdk-17");
        assertThat(command).endsWith("-jar", jar.toString(), "devcluster");
    }

    @Test
    void usesAClusterThatRunsIfOneIsNamed() {
        assertThat(search().running()).isEmpty();
        environment.put("KOPF4J_RUNNING_DEVCLUSTER", "/a");
        assertThat(search().running()).contains(Path.of("/a"));
        properties.put("kopf4j.devcluster.kubeconfig", "/b");
        assertThat(search().running()).contains(Path.of("/b"));
    }
}
