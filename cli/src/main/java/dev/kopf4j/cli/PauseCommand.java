package dev.kopf4j.cli;

import dev.kopf4j.cli.operation.ObjectRequests.PauseRequest;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j pause}: has an operator leave objects alone. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Has the operator leave objects alone: no handler, timer, daemon or repair of children begins; what runs may end.",
            "A deletion goes on, unless --deletion is given. `kopf4j resume OBJECT` ends it."
        },
        footer = {
            "",
            "Exit codes: 0 it is done (with --wait: acknowledged), 1 it is not, or the cluster cannot be asked, 2 wrong usage."
        })
final class PauseCommand implements Callable<Integer> {
    @Mixin
    private ObjectRequestOptions objects = new ObjectRequestOptions();

    @Option(names = "--deletion", description = "A deletion waits, too.")
    private boolean deletion;

    @Mixin
    private ObjectPlaceOptions where = new ObjectPlaceOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        Pause pause = deletion ? Pause.ALL : Pause.HANDLERS;
        return objects.ask(spec, where.place(), "Paused", its -> new PauseRequest(its, pause));
    }
}
