package dev.kopf4j.cli;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.text.FileProblem;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a command that cannot run or has failed: by a message on stderr, and an exit code. */
final class CommandErrors {
    private CommandErrors() {}

    /**
     * Reports wrong arguments: with the list of commands if none was named, but without the whole help of a command,
     * which would push the message off the screen.
     */
    static int misused(ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("kopf4j: " + mistake.getMessage());
        if (command.getSubcommands().isEmpty()) {
            UnmatchedArgumentException.printSuggestions(mistake, err);
            err.println("See `" + command.getCommandSpec().qualifiedName() + " --help`.");
        } else {
            command.usage(err);
        }
        err.flush();
        return ExitCode.USAGE;
    }

    /** Reports a failure, without a stack trace: most failures come from files and clusters, not from the program. */
    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println("kopf4j: " + message(failure));
        if (isDebug(parsed)) {
            failure.printStackTrace(err);
        } else if (!isForPeople(failure)) {
            err.println("kopf4j: that was a " + failure.getClass().getName() + "; --debug shows where it came from");
        }
        err.flush();
        return exitCode(failure);
    }

    private static String message(Exception failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return failure instanceof UncheckedIOException wrapped ? FileProblem.sentence(wrapped) : message;
    }

    private static boolean isDebug(ParseResult parsed) {
        var options = parsed.asCommandLineList().getLast().getCommandSpec().optionsMap();
        var debug = options.get("--debug");
        return debug != null && Boolean.TRUE.equals(debug.getValue());
    }

    private static boolean isForPeople(Exception failure) {
        return failure instanceof CommandException
                || failure instanceof UncheckedIOException
                || failure instanceof HandlerDeclarationException
                || failure instanceof OperatorException;
    }

    private static int exitCode(Exception failure) {
        return switch (failure) {
            case CommandException expected -> expected.exitCode();
            case HandlerDeclarationException wrong -> ExitCode.SOURCES;
            default -> ExitCode.FAILURE;
        };
    }
}
