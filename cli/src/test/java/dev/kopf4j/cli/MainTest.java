package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheVersionOnStdout() {
        assertThat(execute("version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("kopf4j ").contains("Java " + Runtime.version());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void refusesAnUnknownCommandAsWrongUsage() {
        assertThat(execute("fly")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("fly").contains("Usage: kopf4j");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refusesNoCommandAsWrongUsage() {
        assertThat(execute()).isEqualTo(ExitCode.USAGE);
    }

    private int execute(String... arguments) {
        return Main.commandLine(Map.of())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
