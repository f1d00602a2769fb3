package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.image.JavaRuntime;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /**
     * Or else commands of handlers would get question marks for umlauts, and files of such names could not be written.
     */
    @Test
    void aRootFileSystemGetsALocaleOfAllCharacters() {
        assertThat(JavaRuntime.environment(true)).contains("LANG=C.UTF-8");
        assertThat(JavaRuntime.environment(false))
                .as("that of the base image stays")
                .noneMatch(each -> each.startsWith("L"));
    }

    /** A list of images is something of registries, and what is made of this machine is for this machine. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--root-filesystem . --push x | the Java runtime of this machine and its start-up cache into the image",
                "--base-tar x.tar --push x    | an image in a tar is for one. Name one of a registry by --base.",
                "--base x --tar x.tar         | Send it to a registry by --push",
                "--base x --layout x          | Send it to a registry by --push"
            })
    void severalArchitecturesAreForRegistriesOnly(String options, String told) throws Exception {
        CommandRun run = several(options, "amd64,arm64");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--architecture names several, amd64 and arm64: ", told);
    }

    @Test
    void severalArchitecturesAreNamedWithCommas() throws Exception {
        assertThat(several("--base x --push x", "amd64,arm64").err()).contains("by the program as it is distributed");
        assertThat(several("--base x --tar x.tar", "amd64,amd64").err())
                .contains("by the program as it is distributed");
        CommandRun none = several("--base x --push x", "amd64,,arm64");
        assertThat(none.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("--architecture names none between two commas: [amd64, , arm64].");
    }

    private CommandRun several(String options, String architectures) throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), "class Example {}");
        List<String> arguments = new ArrayList<>(List.of("image", "--architecture", architectures, source.toString()));
        arguments.addAll(List.of(options.split(" ")));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void onlyTheDistributionMakesImages() throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), "class Example {}");
        CommandRun run = CommandRun.of("image", "--base", "x", "--tar", "x.tar", source.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Images are made by the program as it is distributed.");
    }
}
