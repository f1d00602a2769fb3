package dev.kopf4j.cli;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.text.FileProblem;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code kopf4j}. Results go to stdout; logs, errors and the compiler's messages go to stderr. */
@Command(
        name = "kopf4j",
        description = "Kubernetes operators in plain Java.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            FreezeCommand.class,
            ResumeCommand.class,
            DevClusterCommand.class,
            ConfigCommand.class,
            CompletionCommand.class,
            VersionCommand.class);

    private final Map<String, String> environment;

    private Main(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** The environment that the command line was made with. */
    static Map<String, String> environment(CommandSpec command) {
        return ((Main) command.root().userObject()).environment;
    }

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        if (List.of(arguments).contains("devcluster") || List.of(arguments).contains("--devcluster")) {
            DevCluster.prepare();
        }
        System.exit(commandLine(System.getenv(), arguments).execute(arguments));
    }

    /**
     * The command line, with the defaults of its options taken from the given environment variables. It knows no more
     * than it takes to understand the arguments: each command more would make each start slower.
     */
    static CommandLine commandLine(Map<String, String> environment, String... arguments) {
        var defaults = new EnvironmentDefaults(environment);
        var line = new CommandLine(new Main(environment));
        commands(arguments).forEach(line::addSubcommand);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(defaults)
                .setExecutionStrategy(parsed -> execute(parsed, defaults))
                .setParameterExceptionHandler(Main::misused)
                .setExecutionExceptionHandler(Main::failed);
    }

    private static List<Class<?>> commands(String... arguments) {
        return COMMANDS.stream()
                .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
                .filter(command -> command != CompletionCommand.class) // which tells about the others
                .findFirst()
                .map(List::<Class<?>>of)
                .orElse(COMMANDS);
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static int execute(ParseResult parsed, EnvironmentDefaults defaults) {
        parsed.asCommandLineList().forEach(command -> defaults.setFlags(command.getParseResult()));
        return new CommandLine.RunLast().execute(parsed);
    }

    // The commands, if none was named; but not the whole help of one, which would push the message off the screen.
    private static int misused(ParameterException mistake, String[] arguments) {
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

    // A message, not a stack trace: most failures are the surroundings' (files, clusters), not the program's.
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
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
