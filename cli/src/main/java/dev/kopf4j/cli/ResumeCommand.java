package dev.kopf4j.cli;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kopf4j resume}: ends {@code kopf4j pause} of objects, or {@code kopf4j freeze} of a peering. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Lets an operator go on with objects that were paused by `kopf4j pause`.",
            "Without objects: lets the operators of a peering go on that were paused by `kopf4j freeze`."
        })
final class ResumeCommand implements Callable<Integer> {
    @Mixin
    private ObjectRequestOptions objects = new ObjectRequestOptions();

    @Mixin
    private PeeringOptions peering = new PeeringOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (objects.areGiven()) {
            logging.applyQuietly(); // nobody needs to read that a cluster is asked
            return objects.ask(
                    spec,
                    peering.onlyNamespace(),
                    peering.kubeconfig(),
                    "Resumed",
                    its -> (body, patch) -> its.ask(Pause.NONE, body, patch));
        }
        logging.apply();
        peering.record(0, Duration.ZERO)
                .forEach(place -> spec.commandLine().getOut().println("Resumed: " + place));
        return ExitCode.OK;
    }
}
