package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.cluster.GeneratedDefinitions;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.process.StopRequest;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.SuccessiveMemos;
import dev.kopf4j.runtime.StopSignals;
import dev.kopf4j.runtime.SystemPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j run}: builds an operator from source files and classes, and runs it until a signal stops it. */
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
            "Exit codes: 0 stopped gracefully, 1 the operator failed, 2 wrong usage, 3 no JDK that fits,",
            "4 the sources do not compile, or have no handlers, 130 and 143 stopped at once by a second",
            "Ctrl-C or SIGTERM, 137 ended by force because stopping took too long."
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.cli");

    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Option(
            names = "--devcluster",
            description = "Run against an embedded cluster, which lives as long as this command.")
    private boolean withDevCluster;

    @Option(
            names = "--apply",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
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
            names = "--reload",
            description = {
                "Compile changed sources at once, and let their handlers take over; if they do not compile, the handlers",
                "before go on. Progress and memos are kept."
            })
    private boolean reload;

    @Mixin
    private SimulationOptions simulation = new SimulationOptions();

    @Mixin
    private RbacOptions rbac = new RbacOptions();

    @Mixin
    private EndpointOptions endpoints = new EndpointOptions();

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    private final SuccessiveMemos memos = new SuccessiveMemos();
    private boolean scopeTold;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        check();
        var stopRequest = StopRequest.listening(StopSignals.OF_PROCESS);
        if (withDevCluster) {
            runWithDevCluster(stopRequest);
        } else {
            run(load(), loaded -> operator(loaded.handlers(), kubeconfig), stopRequest, _ -> {});
        }
        return ExitCode.OK;
    }

    private void check() {
        namespaces.check();
        if (!manifests.isEmpty() && !withDevCluster) {
            throw CommandException.usage("--apply works with --devcluster only; to a real cluster, apply the files by"
                    + " `kubectl apply -f " + manifests.getFirst() + "`.");
        }
        if (simulation.isGiven() && !withDevCluster) {
            throw CommandException.usage(
                    "--port, --data, --workloads, --nodes and --fault belong to an embedded cluster: add"
                            + " --devcluster.");
        }
        simulation.check();
        rbac.check(withDevCluster);
        files.check();
        if (!withDevCluster && kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
        }
    }

    private LoadedClasses load() {
        var errors = spec.commandLine().getErr();
        var loaded = files.load(errors);
        loaded.warnings().forEach(errors::println);
        return loaded;
    }

    private void runWithDevCluster(StopRequest stopRequest) throws InterruptedException {
        var chosen = manifests.isEmpty() ? files.manifests(settings.file()) : ManifestFiles.read(manifests);
        var loaded = load();
        loaded.handlers(); // before anything is started for them
        var definitions = GeneratedDefinitions.of(loaded);
        var options = simulation.applyTo(rbac.applyTo(Options.defaults().growingClaims(true)));
        var later = new AtomicReference<Runnable>(() -> {});
        Consumer<RunningDevCluster> preparation = starting -> {
            starting.apply(definitions);
            later.set(starting.applyStored(chosen));
        };
        try (var cluster = RunningDevCluster.start(options, kubeconfig, preparation)) {
            spec.commandLine().getOut().println(cluster.exportLine());
            run(loaded, changed -> operatorOn(cluster, changed), stopRequest, handle -> whenReady(handle, later));
            rbac.tell(spec.commandLine().getOut());
        }
    }

    /** Does it with each operator that comes so far: a later one may convert what an earlier one has not. */
    private static void whenReady(OperatorHandle handle, AtomicReference<Runnable> later) {
        new SystemPlatform().spawn("apply", () -> {
            try {
                if (handle.awaitReady(Duration.ofDays(1))) {
                    later.get().run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (OperatorException e) {
                log.debug("Nothing is applied, as the operator has failed: {}", e.getMessage());
            }
        });
    }

    private Operator operatorOn(RunningDevCluster cluster, LoadedClasses loaded) throws InterruptedException {
        cluster.apply(GeneratedDefinitions.of(loaded));
        var handlers = loaded.handlers();
        return operator(handlers, rbac.credentials(cluster, configured(handlers, cluster.kubeconfig())));
    }

    /** With {@code --reload}, one after the other. */
    Operator operator(List<Class<?>> handlers, @Nullable Path credentials) {
        Operator operator = configured(handlers, credentials).build();
        scopeTold = true;
        return operator;
    }

    /** The classes that the arguments name, without a cluster. */
    LoadedClasses loaded() {
        check();
        return load();
    }

    /** What the options make of an operator. */
    OperatorBuilder configured(List<Class<?>> handlers, @Nullable Path credentials) {
        OperatorBuilder builder = Operator.builder().handlers(handlers.toArray());
        if (credentials != null) {
            builder.kubeconfig(credentials);
        }
        if (withDevCluster || scopeTold) {
            namespaces.applyTo(builder); // nobody else's objects are there, or the operator before has warned
        } else {
            namespaces.applyGivenTo(builder);
        }
        builder.settings(each -> settings.apply(each, EnvironmentDefaults.environment(spec), System.getProperties()));
        endpoints.applyTo(builder);
        logging.watch(builder);
        if (withDevCluster) {
            builder.settings(endpoints::showConsole);
        }
        if (reload) {
            memos.giveTo(builder);
        }
        return builder;
    }

    private void run(
            LoadedClasses loaded,
            OperatorRuns.Assembly assembly,
            StopRequest stopRequest,
            Consumer<OperatorHandle> started)
            throws InterruptedException {
        var runs = new OperatorRuns(assembly, memos, stopRequest, started);
        if (reload) {
            runs.reloading(loaded, files.changes(), this::load);
        } else {
            runs.once(loaded);
        }
    }
}
