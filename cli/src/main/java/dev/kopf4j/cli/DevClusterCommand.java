package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.StopSignals;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.WebhookServices;
import dev.kopf4j.devcluster.faultinjection.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** {@code kopf4j devcluster}: the embedded cluster alone, until a signal stops it. */
@Command(
        name = "devcluster",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Runs an embedded Kubernetes API server until Ctrl-C or SIGTERM. All is in memory, and gone at the end,",
            "unless --data names a folder.",
            "Prints the line to type in another terminal to use it."
        })
final class DevClusterCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.devcluster");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Listen on this port of the loopback interface (default: a free one).")
    private int port;

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

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keep the objects, the token and the certificate authority in this folder, and continue with"
                    + " what it holds, also after a crash (default: in memory).")
    private @Nullable Path data;

    @Option(names = "--rbac", description = "Ask for credentials, and let RBAC decide who may do what.")
    private boolean rbac;

    @Option(
            names = "--workloads",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "1",
            description = "Simulate the progress of pods, replica sets, deployments and jobs; pods are ready after this"
                    + " time (default: ${FALLBACK-VALUE} s).")
    private @Nullable Double workloads;

    @Option(
            names = "--root-certificate",
            description = "Give each namespace the ConfigMap kube-root-ca.crt, as real clusters do.")
    private boolean rootCertificate;

    @Option(
            names = "--growing-claims",
            description = "Let claims for volumes grow before they are bound, which real clusters do not.")
    private boolean growingClaims;

    @Option(
            names = "--service",
            paramLabel = "NAMESPACE/NAME=PORT",
            description = "Reach the service that a webhook names on this HTTPS port of the loopback interface;"
                    + " repeatable.")
    private Map<String, Integer> services = new LinkedHashMap<>();

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Keep this many changes of each resource for watches (default: ${DEFAULT-VALUE}).")
    private int window = Options.defaults().windowSize();

    @Option(
            names = "--watch-list",
            description = "Let watches ask for initial events, which v1.33 does not by default.")
    private boolean watchList;

    @Option(
            names = "--fault",
            paramLabel = "RULE",
            description = "Let something go wrong, e.g. \"10%% PATCH /apis/kopf.dev/** 429 1s\"; repeatable. RULE is"
                    + " [N%%] [xTIMES] METHOD PATH FAULT; see docs/devcluster.md.")
    private List<String> faultRules = new ArrayList<>();

    @Option(
            names = "--fault-seed",
            paramLabel = "N",
            description = "The seed of what goes wrong (default: ${DEFAULT-VALUE}).")
    private long faultSeed;

    @Option(
            names = "--fault-control",
            description = "Let the administrator set faults over HTTP, at /devcluster/faults.")
    private boolean faultControl;

    @Option(names = "--log", description = "Log each request.")
    private boolean logRequests;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        if (port < 0 || port > 65535) {
            throw CommandException.usage("--port " + port + " is not a port: it must be from 0 to 65535.");
        }
        if (workloads != null && !(workloads > 0 && workloads < 86_400)) {
            throw CommandException.usage("--workloads " + workloads + " is no time in seconds: it must be above 0.");
        }
        if (window < 1) {
            throw CommandException.usage("--window " + window + " keeps nothing: it must be 1 or more.");
        }
        var chosen = ManifestFiles.read(manifests);
        var stopped = new CountDownLatch(1);
        StopSignals.install().onStop(stopped::countDown);
        try (var cluster = RunningDevCluster.start(options(), kubeconfig)) {
            cluster.apply(chosen);
            spec.commandLine().getOut().println(cluster.exportLine());
            stopped.await();
        }
        return ExitCode.OK;
    }

    private Options options() {
        Consumer<String> requestLog = logRequests ? LOG::info : line -> {};
        Options options = Options.defaults()
                .port(port)
                .requestLog(requestLog)
                .rbac(rbac)
                .watchList(watchList)
                .rootCertificate(rootCertificate)
                .growingClaims(growingClaims)
                .faults(faults())
                .faultControl(faultControl)
                .windowSize(window)
                .webhookServices(new WebhookServices(services));
        if (workloads != null) {
            options = options.workloads(Duration.ofMillis(Math.round(workloads * 1000)));
        }
        return data == null ? options : options.data(data);
    }

    private Faults faults() {
        Faults faults = new Faults(faultSeed);
        try {
            faultRules.forEach(faults::add);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--fault: " + e.getMessage());
        }
        return faults;
    }
}
