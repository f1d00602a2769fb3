package dev.kopf4j.cli;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.ForcedExit;
import dev.kopf4j.devcluster.DevCluster;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The program {@code kopf4j}. Results go to stdout. Logs, errors and the compiler's messages go to stderr. */
@Command(
        name = "kopf4j",
        description = "Kubernetes operators in plain Java.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = "`kopf4j warm-up` makes the cache for a quick start beforehand; `kopf4j warm-up --help` tells how.")
public final class Main {
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            InitCommand.class,
            FreezeCommand.class,
            ResumeCommand.class,
            WhyCommand.class,
            HistoryCommand.class,
            PauseCommand.class,
            RetryCommand.class,
            DevClusterCommand.class,
            CrdCommand.class,
            TypesCommand.class,
            ConfigCommand.class,
            ExplainCommand.class,
            ManifestsCommand.class,
            ImageCommand.class,
            PlanCommand.class,
            DoctorCommand.class,
            UninstallCommand.class,
            RbacCommand.class,
            CompletionCommand.class,
            VersionCommand.class);

    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    /** As many cost neither memory nor CPU time where there are two processors; with one, four take a fifth more. */
    private static final int CARRIERS_ENOUGH = 4;

    private Main() {}

    /** Runs one command, and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        carryMoreThanProcessors();
        if (List.of(arguments).contains("devcluster") || List.of(arguments).contains("--devcluster")) {
            DevCluster.prepare();
        }
        int code = commandLine(System.getenv(), arguments).execute(arguments);
        // Operators and clusters run until they are stopped; what handlers print is no result of the program.
        boolean isServer = arguments.length > 0 && List.of("run", "devcluster").contains(arguments[0]);
        System.exit(ForcedExit.code(isServer || isWritten() ? code : ExitCode.FAILURE));
    }

    /**
     * On one to three processors, as many handlers that compute would hold up all others, as virtual threads give a
     * processor back only when they wait. What somebody has chosen stays. Before the first virtual thread.
     */
    static void carryMoreThanProcessors() {
        if (System.getProperty(CARRIERS) == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            int carriers = Math.max(processors, Math.min(2 * processors, CARRIERS_ENOUGH));
            System.setProperty(CARRIERS, String.valueOf(carriers));
        }
    }

    /**
     * Says that stdout could not be written whole, because somebody would go on with half a result. Who closes a pipe
     * has read enough.
     */
    private static boolean isWritten() {
        if (!System.out.checkError()) {
            return true;
        }
        // The stream keeps the reason to itself: what is written once more fails for the same one.
        String reason = "";
        try {
            new FileOutputStream(FileDescriptor.out).write('\n'); // not closed: a file of the JVM may have this number
        } catch (IOException e) {
            reason = String.valueOf(e.getMessage());
        }
        if (reason.toLowerCase(Locale.ROOT).contains("pipe") || reason.equals(closedPipe())) {
            return true;
        }
        System.err.println("kopf4j: The output is not whole: it could not be written."
                + (reason.isEmpty() ? "" : " The system says: " + reason));
        return false;
    }

    /** What the system calls that, in the user's language. */
    private static String closedPipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().close();
            try (var sink = pipe.sink()) {
                sink.write(ByteBuffer.allocate(1));
            }
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Makes the command line; the given environment variables have the defaults of its options. It knows only the
     * commands that the arguments need, because each further one would make each start slower.
     */
    static CommandLine commandLine(Map<String, String> environment, String... arguments) {
        var defaults = new EnvironmentDefaults(environment);
        var line = new CommandLine(new Main());
        commands(arguments).forEach(line::addSubcommand);
        boolean isDumb = "dumb".equals(environment.get("TERM"));
        return line.registerConverter(Path.class, Main::path)
                .setColorScheme(Help.defaultColorScheme(isDumb ? Help.Ansi.OFF : Help.Ansi.AUTO))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(defaults)
                .setExecutionStrategy(parsed -> execute(parsed, defaults))
                .setParameterExceptionHandler(CommandErrors::misused)
                .setExecutionExceptionHandler(CommandErrors::failed);
    }

    /** An empty one would be the current folder, which nobody has meant: a variable of the shell is not set. */
    private static Path path(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("is empty, perhaps as a variable of the shell is");
        }
        return Path.of(text);
    }

    private static List<Class<?>> commands(String... arguments) {
        return COMMANDS.stream()
                .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
                .filter(command -> command != CompletionCommand.class) // it describes all others
                .findFirst()
                .map(List::<Class<?>>of)
                .orElse(COMMANDS);
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static int execute(ParseResult parsed, EnvironmentDefaults defaults) {
        parsed.asCommandLineList().forEach(command -> defaults.setFlags(command.getParseResult()));
        CommandLine last = parsed.asCommandLineList().getLast();
        defaults.unknown(last.getCommandSpec())
                .forEach(name -> last.getErr()
                        .println("kopf4j: The variable " + name + " is ignored: `"
                                + last.getCommandSpec().qualifiedName() + "` has no option of that name."));
        last.getErr().flush();
        return new CommandLine.RunLast().execute(parsed);
    }
}
