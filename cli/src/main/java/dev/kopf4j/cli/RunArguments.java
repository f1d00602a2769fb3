package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.cluster.GeneratedDefinitions;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.types.CustomResourceDefinitions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * What {@code kopf4j run} makes of its arguments, for programs that run the operator themselves, such as tests. The
 * files are compiled once. Immutable.
 */
public final class RunArguments {
    private final RunCommand command;
    private final LoadedClasses loaded;

    private RunArguments(RunCommand command, LoadedClasses loaded) {
        this.command = command;
        this.loaded = loaded;
    }

    /**
     * Compiles the files that the arguments name.
     *
     * @param arguments as after {@code kopf4j run}
     * @throws IllegalArgumentException if {@code kopf4j run} would refuse them, with its message
     */
    public static RunArguments parse(String... arguments) {
        var line = Main.commandLine(Map.of(), "run");
        var messages = new StringWriter();
        CommandLine run =
                Objects.requireNonNull(line.getSubcommands().get("run")).setErr(new PrintWriter(messages, true));
        try {
            line.parseArgs(Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
            RunCommand command = run.getCommand();
            return new RunArguments(command, command.loaded());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "kopf4j run " + String.join(" ", arguments) + ": " + e.getMessage() + "\n" + messages, e);
        }
    }

    /** A new operator, with all options but those of the cluster and of logging. */
    public OperatorBuilder operator() {
        return command.configured(loaded.handlers(), null);
    }

    /**
     * The definitions of the custom resources among the classes, as YAML; empty if there are none.
     *
     * @throws RuntimeException if a type cannot be one; the message says why
     */
    public String definitions() {
        return CustomResourceDefinitions.yaml(GeneratedDefinitions.of(loaded));
    }
}
