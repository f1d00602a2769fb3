package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.explanation.ExplainedWatch;
import dev.kopf4j.cli.explanation.WatchExplainer;
import dev.kopf4j.cli.explanation.WatchExplainer.Explanation;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.Options;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j explain watches}: tells what an operator fetches from the cluster, for whom, and with which rights. */
@Command(
        name = "watches",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Tells what an operator would watch, for which handlers, and the rights that it needs.",
            "With a cluster (--devcluster, --kubeconfig, $KUBECONFIG, ~/.kube/config): the resources that it serves; without",
            "one: what is declared. Nothing is run; what start-up handlers change cannot be known here."
        })
final class ExplainWatchesCommand implements Callable<Integer> {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Option(
            names = "--devcluster",
            description = "Ask an embedded cluster, with the YAML files in the folder of the first source file.")
    private boolean withDevCluster;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Ask the cluster of this file.")
    private @Nullable Path kubeconfig;

    @Option(names = "--offline", description = "Ask no cluster: tell what is declared.")
    private boolean offline;

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
        check();
        Map<String, String> environment = EnvironmentDefaults.environment(spec);
        List<Class<?>> handlers = files.load(spec.commandLine().getErr()).handlers();
        if (withDevCluster) {
            explainOnDevCluster(handlers);
        } else if (!offline && (kubeconfig != null || hasCluster(environment))) {
            print(new WatchExplainer(builder(handlers, kubeconfig)).resolved());
        } else {
            print(new WatchExplainer(builder(handlers, null)).declared());
        }
        return ExitCode.OK;
    }

    private void check() {
        namespaces.check();
        files.check();
        if (offline && (withDevCluster || kubeconfig != null)) {
            throw CommandException.usage("--offline asks no cluster: leave out --devcluster and --kubeconfig.");
        }
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
        }
    }

    private static boolean hasCluster(Map<String, String> environment) {
        String home = System.getProperty("user.home", "");
        return !environment.getOrDefault("KUBECONFIG", "").isEmpty()
                || environment.containsKey("KUBERNETES_SERVICE_HOST")
                || Files.isReadable(Path.of(home, ".kube", "config"));
    }

    private void explainOnDevCluster(List<Class<?>> handlers) throws InterruptedException {
        ManifestFiles manifests = files.manifests(settings.file());
        try (var cluster =
                RunningDevCluster.start(Options.defaults(), kubeconfig, starting -> starting.apply(manifests))) {
            print(new WatchExplainer(builder(handlers, cluster.kubeconfig())).resolved());
        }
    }

    private OperatorBuilder builder(List<Class<?>> handlers, @Nullable Path credentials) {
        OperatorBuilder builder = Operator.builder().handlers(handlers.toArray());
        if (credentials != null) {
            builder.kubeconfig(credentials);
        }
        namespaces.applyTo(builder);
        return builder.settings(
                each -> settings.apply(each, EnvironmentDefaults.environment(spec), System.getProperties()));
    }

    private void print(Explanation explanation) {
        PrintWriter out = spec.commandLine().getOut();
        for (ExplainedWatch watch : explanation.watches()) {
            out.println(watch.title());
            lines(watch).forEach(line -> out.println("    " + line));
        }
        explanation.remarks().forEach(remark -> out.println("Note: " + remark));
        out.flush();
    }

    private static List<String> lines(ExplainedWatch watch) {
        List<String> lines = new ArrayList<>();
        lines.add(watch.content().isEmpty() ? "not watched" : "watched: " + watch.content());
        watch.reasons().forEach(reason -> lines.add("for: " + reason));
        watch.rights().forEach(right -> lines.add("needs: " + right));
        return lines;
    }
}
