package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.image.JavaRuntime;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kopf4j image}: what it refuses. */
@Tag("P61")
class ImageCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aBaseAndATargetMustBeChosen() {
        CommandRun noBase = CommandRun.of("image", "--tar", "x.tar", "Example.java");
        assertThat(noBase.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(noBase.err()).contains("--base=IMAGE", "--root-filesystem=PLACE");
        CommandRun noTarget = CommandRun.of("image", "--base", "x", "Example.java");
        assertThat(noTarget.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(noTarget.err()).contains("--push=IMAGE");
    }

    @Test
    void filesMustExist() {
        CommandRun run = CommandRun.of("image", "--base", "x", "--tar", "x.tar", "Missing.java");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Missing.java");
    }

    /** Its runtime is made by jlink of the JDK that runs. */
    @Test
    void aRootFileSystemGetsTheJavaOfThisMachineOnly() throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), "class Example {}");
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        CommandRun run = CommandRun.of(
                "image",
                "--root-filesystem",
                folder.toString(),
                "--architecture",
                arm ? "amd64" : "arm64",
                "--tar",
                "x.tar",
                source.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("into an image for Linux on " + (arm ? "amd64" : "arm64"), "--base");
        assertThatCode(() -> JavaRuntime.check("Linux", "amd64", "amd64")).doesNotThrowAnyException();
        assertThatCode(() -> JavaRuntime.check("Linux", "aarch64", "arm64")).doesNotThrowAnyException();
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> JavaRuntime.check("Mac OS X", "aarch64", "arm64"))
                .withMessageContaining("(Mac OS X, arm64)");
    }

    @Test
    void onlyTheDistributionMakesImages() throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), "class Example {}");
        CommandRun run = CommandRun.of("image", "--base", "x", "--tar", "x.tar", source.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Images are made by the program as it is distributed.");
    }
}
