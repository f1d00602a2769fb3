package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.cli.process.ExitCode;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    @Tag("K19")
    void printsTheVersionOnStdout() {
        var result = CommandRun.of("version");

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out()).startsWith("kopf4j " + Kopf.version() + " ").contains("Java " + Runtime.version());
        assertThat(result.err()).isEmpty();
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

    @Test
    void refusesNoCommandAsWrongUsage() {
        assertThat(CommandRun.of().exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
