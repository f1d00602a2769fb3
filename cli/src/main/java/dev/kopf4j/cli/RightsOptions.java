package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.rights.RightsPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The operator whose rights are planned, and the cluster that is asked which resources there are. */
final class RightsOptions {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Option(
            names = "--definitions",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "Take definitions from this YAML file or folder, not from beside the source; repeatable.")
    private List<Path> given = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Ask the cluster of this file which resources there are, instead of an embedded one.")
    private @Nullable Path kubeconfig;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    OperatorFileOptions files() {
        return files;
    }

    NamespaceOptions namespaces() {
        return namespaces;
    }

    void check() {
        namespaces.check();
        files.check();
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
        }
    }

    /** Finds out what the operator needs. */
    PlannedRights plan(CommandSpec spec) throws InterruptedException {
        return plan(spec, any -> {});
    }

    /** The same for an operator whose lease has that name, unless somebody names the operator or the lease. */
    PlannedRights plan(CommandSpec spec, String leaseName) throws InterruptedException {
        OperatorSettings said = new OperatorSettings();
        settings.apply(said, EnvironmentDefaults.environment(spec), System.getProperties());
        boolean named =
                !said.operator().name().equals(new OperatorSettings().operator().name());
        return plan(spec, named ? any -> {} : any -> any.leaderElection().leaseName(leaseName));
    }

    /** @param defaults what is set before all that somebody has said */
    private PlannedRights plan(CommandSpec spec, Consumer<OperatorSettings> defaults) throws InterruptedException {
        LoadedClasses loaded = files.load(spec.commandLine().getErr());
        List<Map<String, Object>> definitions = files.definitions(loaded, given, settings.file());
        if (kubeconfig != null) {
            return plan(spec, defaults, loaded, definitions, kubeconfig);
        }
        try (var cluster = RunningDevCluster.start(Options.defaults(), null, starting -> starting.apply(definitions))) {
            return plan(spec, defaults, loaded, definitions, cluster.kubeconfig());
        }
    }

    private PlannedRights plan(
            CommandSpec spec,
            Consumer<OperatorSettings> defaults,
            LoadedClasses loaded,
            List<Map<String, Object>> definitions,
            Path credentials)
            throws InterruptedException {
        OperatorSettings known = new OperatorSettings();
        defaults.accept(known);
        settings.apply(known, EnvironmentDefaults.environment(spec), System.getProperties());
        OperatorBuilder builder =
                Operator.builder().handlers(loaded.handlers().toArray()).kubeconfig(credentials);
        namespaces.applyTo(builder);
        builder.settings(defaults);
        builder.settings(each -> settings.apply(each, EnvironmentDefaults.environment(spec), System.getProperties()));
        RightsPlan plan = new RightsPlan(builder);
        return new PlannedRights(plan.resolved(), definitions, known, plan.managedConversions(), plan.hasWebhooks());
    }
}
