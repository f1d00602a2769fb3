package dev.kopf4j.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;

/** What a command that ends by itself did, run in this JVM. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... arguments) {
        return with(Map.of(), arguments);
    }

    /** Run with those variables in the environment. */
    static CommandRun with(Map<String, String> environment, String... arguments) {
        return prepared(environment, _ -> {}, arguments);
    }

    /** Run when somebody has had a hand in it. */
    static CommandRun prepared(
            Map<String, String> environment, Consumer<CommandLine> preparation, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine commandLine = Main.commandLine(environment, arguments);
        preparation.accept(commandLine);
        int exitCode = commandLine
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
