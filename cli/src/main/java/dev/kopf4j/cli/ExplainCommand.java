package dev.kopf4j.cli;

import picocli.CommandLine.Command;

/** {@code kopf4j explain}: tells what an operator would do, without running it. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tells what an operator would do, without running it.",
        subcommands = ExplainWatchesCommand.class)
final class ExplainCommand {}
