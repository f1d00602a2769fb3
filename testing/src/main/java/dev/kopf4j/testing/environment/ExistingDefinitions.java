package dev.kopf4j.testing.environment;

import dev.kopf4j.json.Json;
import dev.kopf4j.types.Change;
import dev.kopf4j.types.DefinitionChanges;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definitions of custom resources on a cluster that exists, which others may use: one that is there is never
 * changed. One that a test has made stays, since other tests and people may have come to use it. Thread-safe.
 *
 * @param client the client
 * @param patience how long the server may take until it serves what was made
 */
record ExistingDefinitions(KubernetesClient client, Duration patience) {
    /** On each definition that a test has made. */
    private static final String MADE_BY_TEST = "kopf4j.dev/made-by-test";

    private static final String CLUSTER_SCOPE = "Cluster";

    /**
     * Makes a definition, unless it is there.
     *
     * @throws IllegalStateException if another one is there than the test needs
     * @throws UnsupportedOperationException if its objects would be in no namespace
     */
    void provide(CustomResourceDefinition needed) {
        CustomResourceDefinition there = client.resource(needed).get();
        if (there == null) {
            requireNamespaces(needed);
            there = make(needed);
        }
        requireSame(there, needed);
        client.resource(there)
                .waitUntilCondition(ExistingDefinitions::isServed, patience.toSeconds(), TimeUnit.SECONDS);
    }

    private static void requireNamespaces(CustomResourceDefinition needed) {
        if (needed.getSpec().getScope().equals(CLUSTER_SCOPE)) {
            throw ExistingEnvironment.refused(
                    "the definition " + name(needed) + ", whose objects would be in no namespace, is made");
        }
    }

    /** The definition as it is then, also if somebody else was faster. */
    private CustomResourceDefinition make(CustomResourceDefinition needed) {
        try {
            return client.resource(new CustomResourceDefinitionBuilder(needed)
                            .editMetadata()
                            .addToLabels(MADE_BY_TEST, "true")
                            .endMetadata()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return client.resource(needed).require();
            }
            throw e;
        }
    }

    private void requireSame(CustomResourceDefinition there, CustomResourceDefinition needed) {
        List<Change> differences = DefinitionChanges.between(tree(there), tree(withoutOwnWishes(needed, there)));
        if (!differences.isEmpty()) {
            String name = name(there);
            throw new IllegalStateException("the definition " + name + " on the cluster is not the one that this test"
                    + " needs, and is left as it is, since others may use it. The test's would change:\n"
                    + differences.stream().map(each -> "  " + each).collect(Collectors.joining("\n"))
                    + "\nApply the test's definition yourself, or run the test on another cluster"
                    + (isMadeByTest(there)
                            ? ". Another test has made it: if nobody uses it, take it away by kubectl delete"
                                    + " customresourcedefinition " + name
                            : ""));
        }
    }

    /** A definition without a schema stands for a model of whose schema nothing is known: any will do. */
    private static CustomResourceDefinition withoutOwnWishes(
            CustomResourceDefinition needed, CustomResourceDefinition there) {
        boolean anyWillDo = needed.getSpec().getVersions().stream().allMatch(ExistingDefinitions::isWithoutSchema)
                && served(there).containsAll(served(needed));
        return anyWillDo
                ? new CustomResourceDefinitionBuilder(needed)
                        .editSpec()
                        .withVersions(there.getSpec().getVersions())
                        .editNames()
                        .withShortNames(there.getSpec().getNames().getShortNames())
                        .withCategories(there.getSpec().getNames().getCategories())
                        .endNames()
                        .endSpec()
                        .build()
                : needed;
    }

    private static boolean isWithoutSchema(CustomResourceDefinitionVersion version) {
        JSONSchemaProps schema =
                version.getSchema() == null ? null : version.getSchema().getOpenAPIV3Schema();
        return schema == null
                || (schema.getProperties().isEmpty()
                        && Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields()));
    }

    private static List<String> served(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getServed)
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }

    private Map<String, ?> tree(CustomResourceDefinition definition) {
        String json = client.getKubernetesSerialization().asJson(definition);
        return Json.toMutableMap((ObjectNode) Json.parse(json));
    }

    private static boolean isMadeByTest(CustomResourceDefinition definition) {
        Map<String, String> labels = definition.getMetadata().getLabels();
        return labels != null && labels.containsKey(MADE_BY_TEST);
    }

    private static boolean isServed(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(each -> each.getType().equals("Established")
                                && each.getStatus().equals("True"));
    }

    private static String name(CustomResourceDefinition definition) {
        return definition.getMetadata().getName();
    }
}
