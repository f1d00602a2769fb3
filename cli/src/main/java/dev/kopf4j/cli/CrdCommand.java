package dev.kopf4j.cli;

import dev.kopf4j.Operator;
import dev.kopf4j.cli.cluster.GeneratedDefinitions;
import dev.kopf4j.cli.cluster.GivenDefinitions;
import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.types.CustomResourceDefinitions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code kopf4j crd}: prints the custom resource definitions of the types in source files and classes. */
@Command(
        name = "crd",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Prints the custom resource definitions of types with @CustomResource, as YAML.",
            "With --check, compares them with those of the cluster, and prints what would change."
        },
        footer = {
            "",
            "Descriptions are those of the annotations, or of the comments in source files.",
            "Exit codes: 0 done, 1 the cluster cannot be asked, 2 wrong usage, 4 the sources do not compile, or have no such",
            "types, 5 a change would break what is fine now."
        })
final class CrdCommand implements Callable<Integer> {
    @Mixin
    private OperatorFileOptions files = new OperatorFileOptions();

    @Option(
            names = "--check",
            description = "Print the changes from the cluster's definitions; breaking ones give exit code 5.")
    private boolean check;

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "The same, but compare with the definitions in this file (or the files in a folder).")
    private @Nullable Path against;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "With --check: take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        logging.applyQuietly(); // nobody needs to read that a cluster is asked
        files.check();
        var out = spec.commandLine().getOut();
        var definitions = definitions();
        if (check || against != null) {
            boolean breaks = new DefinitionCheck(installed(definitions), out).breaks(definitions);
            return breaks ? ExitCode.FINDINGS : ExitCode.OK;
        }
        out.print(CustomResourceDefinitions.yaml(definitions));
        out.flush();
        return ExitCode.OK;
    }

    private Map<String, Map<String, Object>> installed(List<Map<String, Object>> definitions)
            throws InterruptedException {
        if (against != null) {
            return GivenDefinitions.of(ManifestFiles.read(List.of(against)));
        }
        var builder = Operator.builder();
        if (kubeconfig != null) {
            CommandException.requireReadable("kubeconfig", kubeconfig);
            builder.kubeconfig(kubeconfig);
        }
        return ClusterSurvey.connect(OperatorPlan.of(builder), new SystemPlatform(), api -> {
            Map<String, Map<String, Object>> found = new LinkedHashMap<>();
            for (Map<String, Object> definition : definitions) {
                add(api, DefinitionCheck.name(definition), found);
            }
            return found;
        });
    }

    @SuppressWarnings("unchecked") // an object is a map
    private static void add(KubernetesApi api, String name, Map<String, Map<String, Object>> found)
            throws InterruptedException {
        try {
            ObjectNode definition =
                    api.unlessForbidden(each -> each.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name));
            found.put(name, (Map<String, Object>) (Map<?, ?>) Json.toMutableMap(definition));
        } catch (NotFoundException e) {
            // The cluster does not have it: that is an answer, too.
        }
    }

    private List<Map<String, Object>> definitions() {
        var loaded = files.load(spec.commandLine().getErr());
        var definitions = GeneratedDefinitions.of(loaded);
        if (definitions.isEmpty()) {
            throw CommandException.sources("No custom resources found in " + loaded.names()
                    + ": no type there has @CustomResource. The least one is:\n\n"
                    + "    @CustomResource(group = \"example.com\", version = \"v1\")\n"
                    + "    record Website(WebsiteSpec spec) {}\n\n"
                    + "    record WebsiteSpec(String html) {}\n");
        }
        return definitions;
    }
}
