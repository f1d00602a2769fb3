package dev.kopf4j.cli;

import dev.kopf4j.cli.manifests.Deployed.WebhookService;
import dev.kopf4j.cli.manifests.HelmChart;
import dev.kopf4j.cli.manifests.KustomizeBase;
import dev.kopf4j.cli.manifests.ManifestText;
import dev.kopf4j.cli.manifests.Names;
import dev.kopf4j.cli.manifests.OperatorManifests;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kopf4j manifests}: prints or writes the objects that an operator needs in a cluster. */
@Command(
        name = "manifests",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Prints the objects that an operator needs in a cluster, with exactly the rights of its handlers.",
            "These are definitions, an account with its roles, the Service of webhooks, and a Deployment. Nothing is run, and no",
            "start-up handler is called: name what they would set. `kopf4j manifests webhooks` prints webhook configurations."
        },
        footer = {
            "",
            "Resources are those of an embedded cluster, of the operator's types, and of the definitions beside the source,",
            "or of the cluster that --kubeconfig names. Handlers declare what they do by themselves with @PolicyRule."
        },
        subcommands = WebhookManifestsCommand.class)
final class ManifestsCommand implements Callable<Integer> {
    @Mixin
    private RightsOptions rights = new RightsOptions();

    @Mixin
    private DeploymentOptions deployment = new DeploymentOptions();

    @Option(names = "--kustomize", paramLabel = "DIR", description = "Write a base of Kustomize there.")
    private @Nullable Path kustomize;

    @Option(names = "--helm", paramLabel = "DIR", description = "Write a Helm chart there.")
    private @Nullable Path helm;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        make();
        return ExitCode.OK;
    }

    /** Prints or writes them. */
    void make() throws InterruptedException {
        rights.check();
        deployment.check();
        var names = deployment.names(rights.files());
        // Two operators in one namespace must not be taken for replicas of one. The children keep the field manager
        // that all other commands know them by.
        var planned = rights.plan(spec, names.name());
        var deployed = deployment.deployed(
                names, rights.files(), rights.namespaces(), planned.settings(), planned.hasWebhooks());
        var manifests = new OperatorManifests(
                names,
                deployed,
                planned.definitions(),
                planned.conversions(),
                rules(planned, names, deployed.service()));
        var remarks = new ArrayList<>(planned.rights().remarks());
        remarks.addAll(DeploymentOptions.remarks(names, deployed, planned.settings()));
        if (kustomize != null) {
            new KustomizeBase(manifests).write(kustomize);
            if (!manifests.otherNamespaces().isEmpty()) {
                remarks.add("Let no overlay of this base set a namespace: it would take the roles in "
                        + String.join(", ", manifests.otherNamespaces())
                        + " away from there. Say by --operator-namespace where the operator runs.");
            }
        }
        if (helm != null) {
            new HelmChart(manifests).write(helm);
        }
        tell(manifests, remarks);
    }

    /** Without those for an authority in the operator's own namespace: they go where the operator goes. */
    private static List<RequiredRule> rules(PlannedRights planned, Names names, @Nullable WebhookService service) {
        List<RequiredRule> rules = new ArrayList<>(planned.rights().rules());
        if (service != null && service.authority() != null) {
            rules.removeAll(RequiredRule.ofAuthority(RightScope.of(names.namespace()), service.authority()));
        }
        return rules;
    }

    private void tell(OperatorManifests manifests, List<String> remarks) {
        boolean written = kustomize != null || helm != null;
        PrintWriter writer =
                written ? spec.commandLine().getErr() : spec.commandLine().getOut();
        remarks.forEach(remark -> writer.println((written ? "" : "# ") + remark));
        writer.flush();
        if (!written) {
            spec.commandLine().getOut().print(ManifestText.of(manifests.all()));
            spec.commandLine().getOut().flush();
        }
    }
}
