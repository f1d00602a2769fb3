package dev.kopf4j.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kopf4j completion}: lets the shell complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Prints a script by which bash and zsh complete the commands and options of kopf4j.",
            "Use it so: source <(kopf4j completion)"
        })
final class CompletionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        var out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("kopf4j", spec.root().commandLine()));
        out.flush();
    }
}
