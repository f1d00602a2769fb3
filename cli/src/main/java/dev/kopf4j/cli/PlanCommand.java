package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.plan.ClusterCopy;
import dev.kopf4j.cli.plan.CutOff;
import dev.kopf4j.cli.plan.PlannedChanges;
import dev.kopf4j.cli.plan.UpgradePlan;
import dev.kopf4j.cli.plan.Version;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.text.TerminalText;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j plan}: tells what another version of an operator would do to the objects of a cluster. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Tells what a new version of an operator would do to the objects of a cluster, before it does.",
            "The cluster is only read (get, list), into memory. Without --run or --children, no code of the operator is called,",
            "but for methods that resourceWhen names.",
            "Settings that are changed by start-up handlers are not known without --run: give them with --set or --config."
        },
        footer = {
            "",
            "Exit codes: 0 nothing would change, 1 no plan can be made (or not of all that handlers are for), 2 wrong usage,",
            "4 the sources do not compile, 5 something would change."
        })
final class PlanCommand implements Callable<Integer> {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Option(
            names = "--old",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = {
                "The version in use: a source file, a jar or a folder; repeatable. Without it, all is told that the new version",
                "would do now."
            })
    private List<Path> old = new ArrayList<>();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--definitions",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = {
                "Take the new version's definitions from this YAML file or folder, not from beside the source;",
                "repeatable."
            })
    private List<Path> given = new ArrayList<>();

    @Option(
            names = "--run",
            description = {
                "Run both versions with copies of the objects in memory, in virtual time, and compare what they write. Their",
                "handlers are called: without a network, where this machine can cut it off; otherwise you are asked."
            })
    private boolean run;

    @Option(
            names = "--children",
            description = {
                "Call the functions of @OnReconcile, and nothing else, with a copy of the objects in memory, and tell which",
                "children would be applied, and in which fields they differ. They are called as the handlers are by --run."
            })
    private boolean children;

    @Mixin
    private TrialOptions trial = new TrialOptions();

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description =
                    "With --run or --children: how long a version may take to come to rest, in virtual time (default: "
                            + "${DEFAULT-VALUE}).",
            defaultValue = "600")
    private int limit;

    @Option(
            names = "--objects",
            paramLabel = "NUMBER",
            description = "How many objects or fields of each kind of change are named (default: ${DEFAULT-VALUE}).",
            defaultValue = "5")
    private int objectsMax;

    @Option(names = "--changes-are-fine", description = "End with 0 even if something would change.")
    private boolean changesAreFine;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Platform platform = new SystemPlatform();

    @Override
    public Integer call() throws InterruptedException {
        logging.apply();
        check();
        PrintWriter err = spec.commandLine().getErr();
        Version next = version(files, err, true);
        Version before = old.isEmpty() ? null : version(files.of(old), err, false);
        ClusterCopy copy = copy(before, next);
        if (run || children) {
            Optional<CutOff> cut = trial.away(copy, "Without --run and --children, nothing is.");
            if (cut.isPresent()) {
                return cut.get().run(copy);
            }
        }
        PlannedChanges changes = changes(new UpgradePlan(before, next, copy, platform.now()));
        print(changes, copy, before, next);
        if (!changes.unwatched().isEmpty()) {
            return ExitCode.FAILURE;
        }
        return changes.hasChanges() && !changesAreFine ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private void check() {
        namespaces.check();
        files.check();
        files.of(old).checkFiles();
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
        }
        if (limit < 1 || objectsMax < 0) {
            throw CommandException.usage("--limit must be positive, and --objects must not be negative.");
        }
        trial.check();
    }

    private Version version(OperatorFileOptions sources, PrintWriter err, boolean withDefinitions) {
        LoadedClasses loaded = sources.load(err);
        Object[] handlers = loaded.handlers().toArray();
        return new Version(
                sources.files().stream().map(Path::toString).collect(Collectors.joining(", ")),
                () -> builder(handlers),
                withDefinitions ? sources.definitions(loaded, given, settings.file()) : List.of());
    }

    private OperatorBuilder builder(Object... handlers) {
        OperatorBuilder builder = Operator.builder().handlers(handlers);
        if (kubeconfig != null) {
            builder.kubeconfig(kubeconfig);
        }
        namespaces.applyTo(builder);
        return builder.settings(
                each -> settings.apply(each, EnvironmentDefaults.environment(spec), System.getProperties()));
    }

    private ClusterCopy copy(@Nullable Version before, Version next) throws InterruptedException {
        return trial.isCutOff()
                ? trial.copy()
                : ClusterCopy.read(
                        Stream.of(Optional.ofNullable(before), Optional.of(next))
                                .flatMap(Optional::stream)
                                .toList(),
                        platform);
    }

    private PlannedChanges changes(UpgradePlan plan) throws InterruptedException {
        if (!run) {
            return children ? plan.withChildren(Duration.ofSeconds(limit)) : plan.forecast();
        }
        PrintStream out = System.out;
        System.setOut(System.err); // what handlers print is no part of the plan
        try {
            return plan.tried(Duration.ofSeconds(limit));
        } finally {
            System.setOut(out);
        }
    }

    private void print(PlannedChanges changes, ClusterCopy copy, @Nullable Version before, Version next) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Plan for " + next.name() + (before == null ? "" : " in place of " + before.name()) + ", with "
                + (copy.size() == 1 ? "1 object" : copy.size() + " objects") + ":");
        out.println();
        changes.lines(objectsMax).stream().map(TerminalText::line).forEach(out::println);
        out.flush();
    }
}
