package dev.kopf4j.cli;

import dev.kopf4j.cli.PeeringOptions.Peering;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j freeze}: pauses the operators of a peering for a while, with a record in the peering object. */
@Command(
        name = "freeze",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = "Pauses the operators of a peering for a while, as far as their priority is not higher.")
final class FreezeCommand implements Callable<Integer> {
    private static final int DEVELOPER_PRIORITY = 666;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            split = "\\s+",
            hideParamSyntax = true,
            description =
                    "The peering of operators of this namespace, or of those that match a pattern, such as `team-*`; repeatable.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "The peering of operators of the whole cluster.")
    private boolean allNamespaces;

    @Option(
            names = {"-P", "--peering"},
            paramLabel = "NAME",
            description = "The name of the peering.")
    private String peering = "";

    @Mixin
    private PeeringOptions options = new PeeringOptions();

    @Option(
            names = {"-p", "--priority"},
            converter = WholeNumberConverter.class,
            paramLabel = "NUMBER",
            description = "Pause operators up to this priority (default: ${DEFAULT-VALUE}).",
            defaultValue = "100")
    private long priority = 100;

    @Option(names = "--dev", description = "The same as --priority 666, and stronger.")
    private boolean developing;

    @Option(
            names = {"-t", "--lifetime"},
            paramLabel = "SECONDS",
            required = true,
            description = "For how long.")
    private int lifetime;

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            description = "Why; for those who read the command.")
    private @Nullable String message;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        if (lifetime <= 0) {
            throw CommandException.usage("--lifetime must be positive: " + lifetime);
        }
        List<String> written = options.record(
                Peering.of(peering, namespaces, allNamespaces),
                developing ? DEVELOPER_PRIORITY : priority,
                Duration.ofSeconds(lifetime));
        written.forEach(place -> spec.commandLine()
                .getOut()
                .println("Frozen for " + lifetime + " s: " + place + (message == null ? "" : " (" + message + ")")));
        return ExitCode.OK;
    }
}
