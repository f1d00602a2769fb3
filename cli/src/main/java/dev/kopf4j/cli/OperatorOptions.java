package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.process.CommandException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** An operator that a command is about, and does not run: its sources, its cluster, its settings. */
final class OperatorOptions {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Mixin
    private NamespaceOptions namespaces = new NamespaceOptions();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    @Mixin
    private SettingOptions settings = new SettingOptions();

    /** Refuses to go on if nobody has said which namespaces are meant. */
    void requireScope() {
        namespaces.requireScope();
    }

    /** The operator, as `kopf4j run` would build it with the same options. */
    OperatorBuilder builder(CommandSpec command) {
        namespaces.check();
        files.check();
        OperatorBuilder builder = Operator.builder()
                .handlers(files.load(command.commandLine().getErr()).handlers().toArray());
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        namespaces.applyTo(builder);
        return builder.settings(
                each -> settings.apply(each, EnvironmentDefaults.environment(command), System.getProperties()));
    }
}
