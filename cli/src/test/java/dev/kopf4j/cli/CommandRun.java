package dev.kopf4j.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** What a command that ends by itself did, run in this JVM. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine(Map.of())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
