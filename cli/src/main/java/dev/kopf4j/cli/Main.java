package dev.kopf4j.cli;

import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The program {@code kopf4j}. Results go to stdout; logs, errors and the compiler's messages go to stderr. */
@Command(
        name = "kopf4j",
        description = "Kubernetes operators in plain Java.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DevClusterCommand.class, VersionCommand.class, WarmUpCommand.class})
public final class Main {
    private Main() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine(System.getenv()).execute(arguments));
    }

    /** The command line, with the defaults of its options taken from the given environment variables. */
    static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .setExecutionExceptionHandler(Main::failed);
    }

    // A message, not a stack trace: most failures are the surroundings' (files, clusters), not the program's.
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        int exitCode = failure instanceof CommandException expected ? expected.exitCode() : ExitCode.FAILURE;
        boolean expected = failure instanceof CommandException;
        err.println("kopf4j: " + (expected ? failure.getMessage() : describe(failure)));
        if (parsed.hasMatchedOption("--debug")) {
            failure.printStackTrace(err);
        } else if (!expected) {
            err.println("kopf4j: run again with --debug for the stack trace");
        }
        err.flush();
        return exitCode;
    }

    private static String describe(Exception failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
