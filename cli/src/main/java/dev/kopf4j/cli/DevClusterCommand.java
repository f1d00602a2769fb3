package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.StopRequest;
import dev.kopf4j.runtime.StopSignals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
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
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Write the kubeconfig there, and leave it at the end (default: a temporary file).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--apply",
            paramLabel = "FILE",
            description = "Apply these YAML files (or those in a folder) first; repeatable.")
    private List<Path> manifests = new ArrayList<>();

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
        try (var running = RunningDevCluster.start(cluster.options(), kubeconfig)) {
            running.apply(chosen);
            spec.commandLine().getOut().println(running.exportLine());
            stopped.await();
        }
        return ExitCode.OK;
    }
}
