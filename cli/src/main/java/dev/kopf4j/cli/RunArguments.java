package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * What {@code kopf4j run} makes of its arguments, for programs that run the operator themselves, such as tests.
 * Immutable.
 */
public final class RunArguments {
    private RunArguments() {}

    /**
     * Compiles the files that the arguments name, and applies the options to an operator: all but those of the cluster
     * and of logging.
     *
     * @param arguments as after {@code kopf4j run}
     * @throws IllegalArgumentException if {@code kopf4j run} would refuse them, with its message
     */
    public static OperatorBuilder operator(String... arguments) {
        var line = Main.commandLine(Map.of(), "run");
        var messages = new StringWriter();
        CommandLine run =
                Objects.requireNonNull(line.getSubcommands().get("run")).setErr(new PrintWriter(messages, true));
        try {
            line.parseArgs(Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
            RunCommand command = run.getCommand();
            return command.configured();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "kopf4j run " + String.join(" ", arguments) + ": " + e.getMessage() + "\n" + messages, e);
        }
    }
}
