package dev.kopf4j.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kopf4j manifests}: prints objects for the cluster that are made of the handlers. */
@Command(
        name = "manifests",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = "Prints objects that an operator needs, made of its handlers, without asking a cluster.",
        subcommands = WebhookManifestsCommand.class)
final class ManifestsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
