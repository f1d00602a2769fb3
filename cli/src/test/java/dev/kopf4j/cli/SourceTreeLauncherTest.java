package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
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
        makeTree();
        Files.createDirectories(folder.resolve("cli"));
        Files.writeString(folder.resolve("cli/target"), "a file, so that no folder can be made; not even by root\n");

        assertThat(ended(start())).isEqualTo(1);
        assertThat(errors())
                .contains("must be built first", "nothing can be written in " + folder.toRealPath() + "/cli/target");
    }

    /** As a loss of power leaves it, or a kill before the number was written; here, nothing is there to build with. */
    @Test
    void aBuildThatHasLeftNoNumberIsNotWaitedForForEver() throws Exception {
        makeTree();
        var lock = Files.createDirectories(folder.resolve("cli/target/building"));
        Files.createFile(lock.resolve("pid"));
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofHours(1))));

        assertThat(ended(start())).isEqualTo(1);
        assertThat(errors()).contains("the build failed");
    }

    /** The number of a process that is gone may be that of another one, which builds nothing. */
    @Test
    void whoWaitsForABuildSaysForWhichOne() throws Exception {
        makeTree();
        var lock = Files.createDirectories(folder.resolve("cli/target/building"));
        long number = ProcessHandle.current().pid();
        Files.writeString(lock.resolve("pid"), number + "\n");

        var process = start();
        try {
            var deadline = Instant.now().plusSeconds(60);
            while (errors().isEmpty() && Instant.now().isBefore(deadline)) {
                assertThat(process.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
            }
            assertThat(errors())
                    .contains("waits for another build, of process " + number, "delete " + folder.toRealPath());
        } finally {
            process.destroyForcibly();
        }
    }

    private void makeTree() throws IOException {
        Files.createDirectories(folder.resolve("bin"));
        Files.copy(Path.of("..", "kopf4j"), folder.resolve("kopf4j"));
        Files.writeString(folder.resolve("bin/find-jdk"), "#!/bin/sh\necho /a/jdk\n");
        assertThat(folder.resolve("bin/find-jdk").toFile().setExecutable(true)).isTrue();
    }

    private Process start() throws IOException {
        return new ProcessBuilder("/bin/sh", folder.resolve("kopf4j").toString(), "version")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private static int ended(Process process) throws InterruptedException {
        boolean ended = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("it does not wait for ever").isTrue();
        return process.exitValue();
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
    }
}
