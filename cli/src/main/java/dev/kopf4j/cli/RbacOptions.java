package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.cluster.RunningDevCluster;
import dev.kopf4j.cli.manifests.AccountManifests;
import dev.kopf4j.cli.manifests.ManifestText;
import dev.kopf4j.cli.manifests.Names;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.rbac.RightsComparison;
import dev.kopf4j.cli.rbac.UsedRights;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RightsPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * With the embedded cluster: the operator runs as an account that has exactly the rights that {@code kopf4j manifests}
 * would give it, and what it uses of them is recorded. Used for one run.
 */
final class RbacOptions {
    private static final String NAMESPACE = "default";
    private static final String NAME = "operator";
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":" + NAME;

    @Option(
            names = "--rbac",
            description =
                    "With --devcluster: give the operator exactly the rights that `kopf4j manifests` prints, let RBAC"
                            + " decide, and tell at the end what was missing or unused.")
    private boolean rbac;

    @Option(
            names = "--used-rights",
            paramLabel = "FILE",
            description = "With --rbac: write the used rights there at the end, for `kopf4j rbac check`.")
    private @Nullable Path file;

    private final UsedRights used = new UsedRights();
    private List<RequiredRule> rules = List.of();

    void check(boolean withDevCluster) {
        if (rbac && !withDevCluster) {
            throw CommandException.usage(
                    "--rbac works with --devcluster only; a real cluster has its roles by `kopf4j" + " manifests`.");
        }
        if (file != null && !rbac) {
            throw CommandException.usage("--used-rights works with --rbac only.");
        }
    }

    Options applyTo(Options options) {
        return rbac
                ? options.rbac(true).requestListener((request, response) -> {
                    if (request.identity()
                            .filter(who -> who.user().equals(USER))
                            .isPresent()) {
                        used.note(request, response);
                    }
                })
                : options;
    }

    /**
     * The credentials for the operator.
     *
     * @param operator the operator, with those of the administrator
     */
    Path credentials(RunningDevCluster cluster, OperatorBuilder operator) throws InterruptedException {
        if (!rbac) {
            return cluster.kubeconfig();
        }
        rules = new RightsPlan(operator).resolved().rules();
        cluster.apply(ManifestText.of(new AccountManifests(Names.of(NAME, NAMESPACE), rules).objects()));
        return cluster.kubeconfigFor(USER, "system:serviceaccounts", "system:serviceaccounts:" + NAMESPACE);
    }

    /** Tells how the used rights compare with the granted ones, and writes the used ones. */
    void tell(PrintWriter out) {
        if (!rbac) {
            return;
        }
        RightsComparison comparison = RightsComparison.of(used, rules, NAMESPACE);
        comparison.missing().forEach(right -> out.println("missing right: " + right));
        comparison.unused().forEach(right -> out.println("unused right: " + right));
        out.flush();
        if (file != null) {
            used.write(file);
        }
    }
}
