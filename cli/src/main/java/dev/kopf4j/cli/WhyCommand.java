package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.operation.HandlerReport;
import dev.kopf4j.cli.operation.NamedObject;
import dev.kopf4j.cli.plan.ChildrenForecast;
import dev.kopf4j.cli.plan.Version;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.source.OperatorSources;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.text.TerminalText;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kopf4j why}: tells what each handler would do for an object now, and why. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Tells what each handler of an operator would do for an object now, and why it is called or not.",
            "It only reads the object, and calls nothing of the operator's code, but with --children, and for methods that",
            "resourceWhen names. It works beside operators that run, and on the objects of Python operators whose handlers have",
            "the same ids. Settings that are changed by start-up handlers are not known here: give them with --set or --config."
        },
        footer = {
            "",
            "Exit codes: 0 it is told, 1 the cluster cannot be asked, 2 wrong usage, 4 the sources do not compile."
        })
final class WhyCommand implements Callable<Integer> {
    /** For functions that are called with a copy; in virtual time. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Parameters(index = "0", paramLabel = "FILE", description = "The operator: a Java source file, a jar, or a folder.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "KIND/NAME", description = "The object, as kubectl names it.")
    private String object = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "HANDLER",
            description = "Tell of the handler with this id only.")
    private @Nullable String handler;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the object (default: that of the credentials).")
    private @Nullable String namespace;

    @Option(
            names = "--watched",
            paramLabel = "NAMESPACE",
            split = "\\s+",
            hideParamSyntax = true,
            description =
                    "The operator watches this namespace only, as by `run -n`; repeatable (default: the whole cluster).")
    private List<String> watched = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "json, for programs: one document per state, in a line of its own.")
    private @Nullable String output;

    @Option(names = "--follow", description = "Tell it again each time that the object changes.")
    private boolean follow;

    @Option(
            names = "--rights",
            description = "Also ask whether the account in use may list, watch and patch the object.")
    private boolean rights;

    @Option(
            names = "--children",
            description = {
                "Call the functions of @OnReconcile, and nothing else, with a copy of the object and its children in",
                "memory, and tell which children would be applied, and in which fields they differ. They are called without",
                "a network, where this machine can cut it off; otherwise you are asked."
            })
    private boolean children;

    @Mixin
    private TrialOptions trial = new TrialOptions();

    @Option(
            names = "--readiness",
            paramLabel = "URL",
            description =
                    "Also ask the operator at this address, as in `run --readiness`, what only its memory knows: running"
                            + " daemons, the next calls of timers, states that handlers have seen.")
    private @Nullable URI readiness;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        if (output != null && !output.equals("json")) {
            throw CommandException.usage("--output can be json: " + output);
        }
        if (children && follow) {
            throw CommandException.usage("--children tells of one moment: leave --follow out.");
        }
        trial.check();
        if (!Files.isDirectory(file)) {
            CommandException.requireReadable("operator", file);
        }
        SystemPlatform platform = new SystemPlatform();
        Version version = version();
        if (trial.isCutOff()) {
            print(Json.text(ChildrenForecast.of(version, trial.copy(), platform.now(), LIMIT)
                    .json()));
            return ExitCode.OK;
        }
        OperatorPlan plan = OperatorPlan.of(version.builder().get());
        ClusterSurvey survey = ClusterSurvey.of(plan, platform);
        survey.look(found -> {
            NamedObject named = NamedObject.of(found.api(), object, namespace);
            HandlerReport report = HandlerReport.of(survey, found, named, handler, rights);
            String from = follow ? report.version() : "";
            HandlerReport.Told told = report.read(platform.now());
            ReconciledChildren ofObject = new ReconciledChildren(version, report, trial);
            tell(children ? ofObject.tell(told, platform, LIMIT) : ofObject.hint(told));
            if (follow) {
                report.follow(from, told, platform, this::tell);
            }
            return ExitCode.OK;
        });
        return ExitCode.OK;
    }

    private Version version() {
        Object[] handlers = new OperatorSources(List.of(file), List.of(), List.of())
                .load(spec.commandLine().getErr())
                .handlers()
                .toArray();
        return new Version(file.toString(), () -> builder(handlers), List.of());
    }

    private OperatorBuilder builder(Object... handlers) {
        OperatorBuilder builder = Operator.builder().handlers(handlers);
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        if (watched.isEmpty()) {
            builder.clusterwide();
        } else {
            builder.namespaces(watched.toArray(String[]::new));
        }
        return builder.settings(
                each -> settings.apply(each, EnvironmentDefaults.environment(spec), System.getProperties()));
    }

    private void tell(HandlerReport.Told told) throws InterruptedException {
        print(readiness == null || told.uid().isEmpty() ? told : RunningOperator.add(readiness, told));
    }

    private void print(HandlerReport.Told told) {
        print(
                output == null
                        ? told.lines().stream().map(TerminalText::line).collect(Collectors.joining("\n"))
                        : Json.text(told.json()));
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
