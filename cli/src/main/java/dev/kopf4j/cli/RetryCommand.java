package dev.kopf4j.cli;

import dev.kopf4j.cli.operation.ObjectRequests.CallsAgain;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j retry}: has handlers of objects called again. */
@Command(
        name = "retry",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Has the handlers called now that wait for another attempt, and those anew that have failed for good since the"
                    + " operator's start, or at any time with the setting persistence.failures.",
            "With --handler ID the one, whether it has succeeded or not; with --handler '*' all of them."
        },
        footer = {
            "",
            "Exit codes: 0 it is done (with --wait: acknowledged), 1 it is not, or the cluster cannot be asked, 2 wrong usage."
        })
final class RetryCommand implements Callable<Integer> {
    @Mixin
    private ObjectRequestOptions objects = new ObjectRequestOptions();

    @Option(names = "--handler", paramLabel = "ID", description = "The handler that is meant; '*' for all.")
    private String handler = "";

    @Option(names = "--token", paramLabel = "TOKEN", description = "Identifies the request: each is followed once.")
    private @Nullable String token;

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
        String given = token == null ? UUID.randomUUID().toString() : token;
        if (!RetryRequest.isToken(given)) {
            throw CommandException.usage(
                    "--token '" + given + "' is no token: it must not be empty, have white space, or begin with '{'.");
        }
        if (handler.isBlank() && !handler.isEmpty()) {
            throw CommandException.usage("--handler '" + handler + "' is no id of a handler.");
        }
        RetryRequest request = new RetryRequest(given, handler);
        int code = objects.ask(spec, where.place(), "Asked", its -> new CallsAgain(its, request));
        if (code == ExitCode.OK && objects.waits() && !handler.isEmpty() && !handler.equals("*")) {
            spec.commandLine()
                    .getOut()
                    .println("An operator without a handler '" + handler
                            + "' acknowledges it, too: its log says what was called.");
        }
        return code;
    }
}
