package dev.kopf4j.cli;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.cli.logging.LogFormat;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.text.NearestWord;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
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
        String name = command.getCommandSpec().qualifiedName();
        Optional<String> meant = meantCommand(mistake);
        if (command.getSubcommands().isEmpty()) {
            UnmatchedArgumentException.printSuggestions(mistake, err);
            boolean incomplete = mistake instanceof MissingParameterException missing
                    && missing.getMissing().stream().anyMatch(PositionalParamSpec.class::isInstance);
            String all = incomplete ? "Write `" + name + parameters(command.getCommandSpec()) + "`. " : "";
            err.println(all + "See `" + name + " --help`.");
        } else if (meant.isPresent()) {
            err.println("Did you mean `" + name + " " + meant.get() + "`? See `" + name + " --help`.");
        } else {
            command.usage(err);
        }
        err.flush();
        return ExitCode.USAGE;
    }

    private static String parameters(CommandSpec command) {
        StringBuilder text = new StringBuilder();
        for (PositionalParamSpec each : command.positionalParameters()) {
            boolean needed = each.arity().min() > 0;
            text.append(needed ? " " : " [").append(each.paramLabel()).append(needed ? "" : "]");
        }
        return text.toString();
    }

    private static Optional<String> meantCommand(ParameterException mistake) {
        return mistake instanceof UnmatchedArgumentException unmatched
                ? NearestWord.likely(
                        unmatched.getUnmatched().getFirst(),
                        mistake.getCommandLine().getSubcommands().keySet())
                : Optional.empty();
    }

    /**
     * Reports a failure, without a stack trace: most failures come from files and clusters, not from the program. If
     * the log has lines of JSON, so does this.
     */
    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        if (LogFormat.JSON.equals(option(parsed, "--log-format"))) {
            LoggerFactory.getLogger("kopf4j").error(message(failure), isForPeople(failure) ? null : failure);
        } else {
            print(failure, command.getErr(), Boolean.TRUE.equals(option(parsed, "--debug")));
        }
        return exitCode(failure);
    }

    private static void print(Exception failure, PrintWriter err, boolean debug) {
        err.println("kopf4j: " + message(failure));
        if (debug) {
            failure.printStackTrace(err);
        } else if (!isForPeople(failure)) {
            err.println("kopf4j: that was a " + failure.getClass().getName() + "; --debug shows where it came from");
        }
        err.flush();
    }

    private static String message(Exception failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return failure instanceof UncheckedIOException wrapped ? FileProblem.sentence(wrapped) : message;
    }

    private static @Nullable Object option(ParseResult parsed, String name) {
        OptionSpec option = parsed.asCommandLineList()
                .getLast()
                .getCommandSpec()
                .optionsMap()
                .get(name);
        return option == null ? null : option.getValue();
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
