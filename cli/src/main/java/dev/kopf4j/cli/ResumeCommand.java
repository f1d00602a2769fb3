package dev.kopf4j.cli;

import dev.kopf4j.cli.process.ExitCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kopf4j resume}: lets the operators of a peering continue after {@code kopf4j freeze}. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = "Lets the operators of a peering go on that were paused by `kopf4j freeze`.")
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    private PeeringOptions peering = new PeeringOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        peering.record(0, Duration.ZERO)
                .forEach(place -> spec.commandLine().getOut().println("Resumed: " + place));
        return ExitCode.OK;
    }
}
