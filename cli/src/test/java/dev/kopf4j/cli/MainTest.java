package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.cli.process.ExitCode;
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
    void refusesNoCommandAsWrongUsage() {
        assertThat(CommandRun.of().exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
