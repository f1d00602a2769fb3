package dev.kopf4j.cli;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.rbac.GrantedRoles;
import dev.kopf4j.cli.rbac.RightsComparison;
import dev.kopf4j.cli.rbac.UsedRights;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j rbac check}: compares the rights that an operator has used with those that it is granted. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Compares the rights that an operator has used, as `kopf4j run --devcluster --rbac --used-rights FILE` records them,",
            "with those that `kopf4j manifests` would grant it, or with the roles in files (--roles). Tells what is missing,",
            "and what nobody has used."
        },
        footer = {
            "",
            "Exit codes: 0 nothing is missing, 1 the cluster cannot be asked, 2 wrong usage, 4 the sources do not compile,",
            "5 a right is missing (with --strict: or unused)."
        })
final class RbacCheckCommand implements Callable<Integer> {
    @Option(names = "--used-rights", paramLabel = "FILE", required = true, description = "What was recorded.")
    private Path used = Path.of("");

    @Option(
            names = "--roles",
            paramLabel = "FILE",
            split = "\\s*\\R\\s*",
            hideParamSyntax = true,
            description = "Compare with the roles in this YAML file or folder; repeatable.")
    private List<Path> roles = new ArrayList<>();

    @Option(names = "--strict", description = "End with 5 also if a right is unused.")
    private boolean strict;

    @Mixin
    private RightsOptions rights = new RightsOptions();

    @Mixin
    private DeploymentOptions deployment = new DeploymentOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        RightsComparison comparison = comparison(UsedRights.read(used));
        PrintWriter out = spec.commandLine().getOut();
        comparison.missing().forEach(right -> out.println("missing: " + right));
        comparison.unused().forEach(right -> out.println("unused: " + right));
        if (comparison.missing().isEmpty() && comparison.unused().isEmpty()) {
            out.println("All rights that were used are granted, and all that are granted were used.");
        }
        out.flush();
        boolean fails = !comparison.missing().isEmpty()
                || (strict && !comparison.unused().isEmpty());
        return fails ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private RightsComparison comparison(UsedRights recorded) throws InterruptedException {
        if (!roles.isEmpty()) {
            var granted = new GrantedRoles(ManifestFiles.read(roles).objects());
            if (!granted.hasRoles()) {
                throw CommandException.usage("There is no Role and no ClusterRole in " + roles + ".");
            }
            return RightsComparison.of(recorded, granted);
        }
        rights.check();
        deployment.check();
        String own = deployment.namespace() == null ? "default" : deployment.namespace();
        return RightsComparison.of(recorded, rights.plan(spec).rights().rules(), own);
    }
}
