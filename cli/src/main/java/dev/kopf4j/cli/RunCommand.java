package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kopf4j run}: source files to a running operator, until a signal stops it. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Compiles the source files in memory, and runs their handlers until Ctrl-C or SIGTERM.",
        footer = {
            "",
            "Each option can be given by the environment too: --log-format by KOPF4J_RUN_LOG_FORMAT.",
            "Exit codes: 0 stopped gracefully, 1 the operator failed, 2 wrong usage,",
            "4 the sources do not compile, or have no handlers."
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.cli");

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Java source files; they are compiled together.")
    private List<Path> sources = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            split = "\\s+",
            hideParamSyntax = true,
            description = "Watch this namespace only; repeatable.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Watch the whole cluster.")
    private boolean allNamespaces;

    @Option(
            names = "--devcluster",
            description = "Run against an embedded cluster, which lives as long as this command.")
    private boolean withDevCluster;

    @Option(
            names = "--apply",
            paramLabel = "FILE",
            description = {
                "With --devcluster: apply these YAML files (or those in a folder) first; repeatable.",
                "Default: the YAML files in the folder of the first source file."
            })
    private List<Path> manifests = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = {
                "Take the cluster and the credentials from this file.",
                "With --devcluster: write them there, and leave the file at the end."
            })
    private @Nullable Path kubeconfig;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        check();
        var signals = StopSignals.install();
        if (withDevCluster) {
            runWithDevCluster(signals);
        } else {
            warnIfUnscoped();
            run(operator(OperatorSources.compile(sources, spec.commandLine().getErr()), kubeconfig), signals);
        }
        return ExitCode.OK;
    }

    private void check() {
        if (allNamespaces && !namespaces.isEmpty()) {
            throw CommandException.usage("Either --namespace or --all-namespaces can be used, not both.");
        }
        if (!manifests.isEmpty() && !withDevCluster) {
            throw CommandException.usage("--apply works with --devcluster only; to a real cluster, apply the files by"
                    + " `kubectl apply -f " + manifests.getFirst() + "`.");
        }
        for (Path source : sources) {
            if (!Files.isRegularFile(source)) {
                throw CommandException.usage("There is no source file " + source + ".");
            }
        }
        if (!withDevCluster && kubeconfig != null && !Files.isReadable(kubeconfig)) {
            throw CommandException.usage("Cannot read the kubeconfig " + kubeconfig + ".");
        }
    }

    private void warnIfUnscoped() {
        if (!allNamespaces && namespaces.isEmpty()) {
            LOG.warn("Neither --namespace nor --all-namespaces is given: watching the whole cluster.");
        }
    }

    private void runWithDevCluster(StopSignals signals) throws InterruptedException {
        var chosen = manifests.isEmpty() ? Manifests.beside(sources.getFirst()) : Manifests.read(manifests);
        var handlers = OperatorSources.compile(sources, spec.commandLine().getErr());
        try (var cluster = RunningDevCluster.start(Options.defaults(), kubeconfig)) {
            cluster.apply(chosen);
            var operator = operator(handlers, cluster.kubeconfig());
            spec.commandLine().getOut().println(cluster.exportLine());
            run(operator, signals);
        }
    }

    private Operator operator(List<Class<?>> handlers, @Nullable Path credentials) {
        OperatorBuilder builder = Operator.builder().handlers(handlers.toArray());
        if (credentials != null) {
            builder.kubeconfig(credentials);
        }
        if (namespaces.isEmpty()) {
            builder.clusterwide();
        } else {
            builder.namespaces(namespaces.toArray(String[]::new));
        }
        return builder.build();
    }

    private static void run(Operator operator, StopSignals signals) throws InterruptedException {
        try (OperatorHandle handle = operator.start()) {
            signals.onStop(handle::stop);
            handle.join();
        }
    }
}
