package dev.kopf4j.cli;

import picocli.CommandLine.Command;

/** {@code kopf4j rbac}: about the rights of operators. */
@Command(
        name = "rbac",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tells about the rights of an operator.",
        subcommands = RbacCheckCommand.class)
final class RbacCommand {}
