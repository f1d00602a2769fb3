package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.ForcedExit;
import dev.kopf4j.cli.process.StopSignals;
import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.devcluster.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description =
                "Compiles the source files in memory, and runs their handlers until Ctrl-C or SIGTERM (twice: at once).",
        footer = {
            "",
            "Each option can be given by the environment too: --log-format by KOPF4J_RUN_LOG_FORMAT.",
            "Settings are taken from --config, system properties (-Dkopf4j.settings.peering.priority=1), and the",
            "environment (KOPF4J_SETTINGS_PEERING_PRIORITY=1); the later one wins, options win over all of them.",
            "Exit codes: 0 stopped gracefully, 1 the operator failed, 2 wrong usage,",
            "4 the sources do not compile, or have no handlers, 137 ended by force."
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.cli");

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Java source files, which are compiled together; jars and folders of classes.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-m", "--module"},
            paramLabel = "NAME",
            split = "\\s+",
            hideParamSyntax = true,
            description = {
                "Run the handlers of this class or package, of a given jar or folder or of the class path; repeatable.",
                "Without it, all handlers of the jars and folders are run."
            })
    private List<String> modules = new ArrayList<>();

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

    @Option(
            names = {"-L", "--liveness"},
            paramLabel = "URL",
            description = "Answer there whether the operator works, such as http://0.0.0.0:8080/healthz.")
    private @Nullable String liveness;

    @Option(
            names = "--readiness",
            paramLabel = "URL",
            description = "Answer there whether all is being watched, such as http://0.0.0.0:8080/ready.")
    private @Nullable String readiness;

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            description = "Show figures there for Prometheus, such as http://0.0.0.0:8080/metrics.")
    private @Nullable String metrics;

    @Mixin
    private SettingOptions settings = new SettingOptions();

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
            run(operator(load(), kubeconfig), signals);
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
        if (files.isEmpty() && modules.isEmpty()) {
            throw CommandException.usage("There is nothing to run: name a source file, as in `kopf4j run Example.java`,"
                    + " a jar, a folder of classes, or a class by -m.");
        }
        files.forEach(RunCommand::check);
        if (!withDevCluster && kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
        }
    }

    private static void check(Path file) {
        if (Files.isDirectory(file)) {
            return;
        }
        CommandException.requireReadable(file.toString().endsWith(".java") ? "source file" : "file", file);
        if (!file.toString().endsWith(".java") && !file.toString().endsWith(".jar")) {
            throw CommandException.usage(file + " is neither a Java source file (.java) nor a jar.");
        }
    }

    private List<Class<?>> load() {
        return new OperatorSources(files, modules).load(spec.commandLine().getErr());
    }

    private void warnIfUnscoped() {
        if (!allNamespaces && namespaces.isEmpty()) {
            LOG.warn("Neither --namespace nor --all-namespaces is given: watching the whole cluster.");
        }
    }

    private void runWithDevCluster(StopSignals signals) throws InterruptedException {
        var chosen = manifests.isEmpty() ? manifestsBesideFirst() : ManifestFiles.read(manifests);
        var handlers = load();
        try (var cluster = RunningDevCluster.start(Options.defaults().growingClaims(true), kubeconfig)) {
            cluster.apply(chosen);
            var operator = operator(handlers, cluster.kubeconfig());
            spec.commandLine().getOut().println(cluster.exportLine());
            run(operator, signals);
        }
    }

    private ManifestFiles manifestsBesideFirst() {
        return files.isEmpty()
                ? ManifestFiles.read(List.of())
                : ManifestFiles.beside(files.getFirst(), settings.file());
    }

    private Operator operator(List<Class<?>> handlers, @Nullable Path credentials) {
        return configured(handlers, credentials).build();
    }

    /** What the options make of an operator. */
    OperatorBuilder configured(List<Class<?>> handlers, @Nullable Path credentials) {
        OperatorBuilder builder = Operator.builder().handlers(handlers.toArray());
        if (credentials != null) {
            builder.kubeconfig(credentials);
        }
        if (namespaces.isEmpty()) {
            builder.clusterwide();
        } else {
            builder.namespaces(namespaces.toArray(String[]::new));
        }
        builder.settings(each -> settings.apply(each, Main.environment(spec), System.getProperties()));
        serve(builder);
        return builder;
    }

    private void serve(OperatorBuilder builder) {
        try {
            if (liveness != null) {
                builder.liveness(liveness);
            }
            if (readiness != null) {
                builder.readiness(readiness);
            }
            if (metrics != null) {
                builder.metrics(metrics);
            }
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
    }

    private static void stop(OperatorHandle handle) {
        handle.stop();
        Duration timeout = handle.settings().process().ultimateExitingTimeout();
        if (timeout != null) {
            ForcedExit.after(timeout);
        }
    }

    private static void run(Operator operator, StopSignals signals) throws InterruptedException {
        try (OperatorHandle handle = operator.start()) {
            signals.onStop(() -> stop(handle));
            handle.join();
        }
    }
}
