package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.console.RequestFeed;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.StopRequest;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.runtime.StopSignals;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j devcluster}: runs the embedded cluster alone, until a signal stops it. */
@Command(
        name = "devcluster",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Runs an embedded Kubernetes API server until Ctrl-C or SIGTERM.",
            "All is in memory, and gone at the end, unless --data names a folder.",
            "Prints the line to type in another terminal to use it."
        })
final class DevClusterCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.console");
    private static final int LAST_PORT = 65_535;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Write the kubeconfig there, and leave it at the end (default: a temporary file).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--apply",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "Apply these YAML files (or those in a folder) first; repeatable.")
    private List<Path> manifests = new ArrayList<>();

    @Option(
            names = "--console",
            arity = "0..1",
            fallbackValue = "5674",
            preprocessor = OptionalNumber.class,
            converter = WholeNumberConverter.class,
            paramLabel = "PORT",
            description = {
                "Show what is in the cluster, and requests as they come, at http://127.0.0.1:PORT/ (default: ${FALLBACK-VALUE};",
                "0 for any free one)."
            })
    private @Nullable Long console;

    @Option(
            names = "--stop-at-eof",
            description =
                    "Stop when the standard input ends: a program that starts the cluster through a pipe is not outlived by it.")
    private boolean stopAtEof;

    @Mixin
    private DevClusterOptions cluster = new DevClusterOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        cluster.check();
        var chosen = ManifestFiles.read(manifests);
        var stopped = new CountDownLatch(1);
        StopRequest.listening(StopSignals.OF_PROCESS).onStop(stopped::countDown);
        int port = port();
        var platform = new SystemPlatform();
        if (stopAtEof) {
            platform.spawn("devcluster-stdin", () -> awaitEof(stopped));
        }
        var feed = new RequestFeed(platform);
        Options options = port < 0 ? cluster.options() : cluster.options().requestListener(feed);
        Consumer<RunningDevCluster> preparation = starting -> {
            starting.apply(chosen);
            if (port >= 0) {
                log.info("The console is at {}", starting.openConsole(platform, feed, port));
            }
        };
        try (var running = start(options, preparation)) {
            spec.commandLine().getOut().println(running.exportLine());
            stopped.await();
        }
        return ExitCode.OK;
    }

    private RunningDevCluster start(Options options, Consumer<RunningDevCluster> preparation) {
        try {
            return RunningDevCluster.start(options, kubeconfig, preparation);
        } catch (IllegalArgumentException e) { // such as a version of a group that the version of Kubernetes lacks
            throw CommandException.usage(e.getMessage() + ".");
        }
    }

    private static void awaitEof(CountDownLatch stopped) {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            log.debug("The standard input cannot be read any more", e);
        }
        stopped.countDown();
    }

    /** Negative for none. */
    private int port() {
        Long wanted = console;
        if (wanted == null) {
            return -1;
        }
        if (wanted < 0 || wanted > LAST_PORT) {
            throw CommandException.usage("--console must be a port from 0 to " + LAST_PORT + ": " + wanted);
        }
        return Math.toIntExact(wanted);
    }
}
