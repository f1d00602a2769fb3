package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code kopf4j} at the root of the source tree, which builds before it starts. */
@DisabledOnOs(OS.WINDOWS)
class SourceTreeLauncherTest {
    @TempDir
    private Path folder;

    @Test
    void saysThatATreeWhereNothingCanBeWrittenCannotBeBuilt() throws Exception {
        Files.createDirectories(folder.resolve("bin"));
        Files.copy(Path.of("..", "kopf4j"), folder.resolve("kopf4j"));
        Files.writeString(folder.resolve("bin/find-jdk"), "#!/bin/sh\necho /a/jdk\n");
        assertThat(folder.resolve("bin/find-jdk").toFile().setExecutable(true)).isTrue();
        Files.createDirectories(folder.resolve("cli"));
        Files.writeString(folder.resolve("cli/target"), "a file, so that no folder can be made; not even by root\n");

        var process = new ProcessBuilder("/bin/sh", folder.resolve("kopf4j").toString(), "version")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("err").toFile())
                .start();
        boolean ended = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();

        assertThat(ended).as("it does not wait for ever").isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("err"), StandardCharsets.UTF_8))
                .contains("must be built first", "nothing can be written in " + folder.toRealPath() + "/cli/target");
    }
}
