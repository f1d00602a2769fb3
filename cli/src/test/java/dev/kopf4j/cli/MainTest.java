package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.cli.process.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help.Ansi;

class MainTest {
    @Test
    @Tag("K19")
    void printsTheVersionOnStdout() {
        var result = CommandRun.of("version");

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out()).startsWith("kopf4j " + Kopf.version() + " ").contains("Java " + Runtime.version());
        assertThat(result.err()).isEmpty();
    }

    /** Virtual threads give a processor back only when they wait. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1", "9"})
    void moreHandlersMayComputeThanThereAreProcessorsIfTheseAreFew(String chosen) {
        String property = "jdk.virtualThreadScheduler.parallelism";
        String before = System.getProperty(property);
        try {
            System.clearProperty(property);
            if (!chosen.isEmpty()) {
                System.setProperty(property, chosen);
            }
            Main.carryMoreThanProcessors();
            int processors = Runtime.getRuntime().availableProcessors();
            int usual = processors == 1 ? 2 : Math.max(4, processors);
            assertThat(System.getProperty(property)).isEqualTo(chosen.isEmpty() ? String.valueOf(usual) : chosen);
        } finally {
            System.clearProperty(property);
            if (before != null) {
                System.setProperty(property, before);
            }
        }
    }

    @Test
    void refusesAnUnknownCommandAsWrongUsage() {
        var result = CommandRun.of("fly");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("fly").contains("Usage: kopf4j");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void suggestsTheCommandThatWasMeant() {
        var result = CommandRun.of("rnu");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("rnu", "Did you mean", "kopf4j run");
    }

    @Test
    void describesEachCommandByAWholeSentence() {
        String commands = CommandRun.of("--help").out().split("Commands:\n", 2)[1];

        assertThat(commands.split("\n(?=  \\S)"))
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy(command -> assertThat(command.strip()).contains("."))
                .allSatisfy(command -> assertThat(command.lines()
                                .filter(line -> line.startsWith("  "))
                                .toList()
                                .getLast())
                        .endsWith("."));
    }

    @Test
    void theHelpOfRunTellsEachExitCode() {
        assertThat(CommandRun.of("run", "--help").out().replaceAll("\\s+", " "))
                .contains("0 stopped gracefully", "1 the operator failed", "2 wrong usage", "3 no JDK that fits")
                .contains("4 the sources do not", "130 and 143 stopped at once", "137 ended by force");
    }

    @Test
    void eachCommandTellsItsOptions() {
        assertThat(Main.commandLine(Map.of()).getSubcommands().keySet())
                .contains("version", "run")
                .allSatisfy(command -> {
                    var help = CommandRun.of(command, "--help");
                    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
                    assertThat(help.out()).startsWith("Usage: kopf4j " + command);
                });
    }

    /** As the log does. */
    @Test
    void hasNoColoursOnATerminalThatShowsNone() {
        assertThat(Main.commandLine(Map.of("TERM", "dumb"), "run")
                        .getSubcommands()
                        .values())
                .isNotEmpty()
                .allSatisfy(
                        command -> assertThat(command.getColorScheme().ansi()).isEqualTo(Ansi.OFF));
        assertThat(Main.commandLine(Map.of("TERM", "xterm")).getColorScheme().ansi())
                .isEqualTo(Ansi.AUTO);
    }

    /** Or else somebody would go on with half a result; but who closes a pipe has read enough. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "crd --help > /dev/full; 1; kopf4j: The output is not whole: it could not be written.",
                "config > /dev/full;     1; kopf4j: The output is not whole: it could not be written.",
                "fly > /dev/full;        2; Unmatched argument",
                "version >&-;            1; kopf4j: The output is not whole: it could not be written.",
                "version | true;         0; ''",
                "version > /dev/null;    0; ''",
            })
    @EnabledOnOs(OS.LINUX)
    void failsIfItsOutputCannotBeWritten(String call, int code, String told, @TempDir Path folder) throws Exception {
        String arguments = call.replaceAll(" [>|].*", "");
        String script = "(\"$@\" " + arguments + "; echo $? > code) " + call.substring(arguments.length());
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        script,
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile());
        // The JVM tells on the standard error that it has taken these.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("code")).content().isEqualTo(code + "\n");
        if (told.isEmpty()) {
            assertThat(folder.resolve("err")).isEmptyFile();
        } else {
            assertThat(folder.resolve("err")).content().contains(told);
        }
    }

    @Test
    void refusesNoCommandAsWrongUsage() {
        assertThat(CommandRun.of().exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
