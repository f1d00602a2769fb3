package dev.kopf4j.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kopf4j version}: prints the version. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Prints the version.")
final class VersionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        for (String line : new VersionProvider().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }
}
