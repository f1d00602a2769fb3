package dev.kopf4j.cli.maintenance;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The custom resource definitions of a cluster.
 *
 * @param api the way to it
 */
record CustomDefinitions(KubernetesApi api) {
    /** True if the account in use may read them. */
    boolean mayBeRead() throws InterruptedException {
        return missingRights().isEmpty();
    }

    /** The right that is missing to read them, in words; empty if none is. */
    List<String> missingRights() throws InterruptedException {
        return new RightsReview(api)
                .missing(List.of(RequiredRule.of(
                        RightScope.CLUSTER,
                        WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS,
                        "telling custom objects from others",
                        "get")));
    }

    /** False for kinds of Kubernetes itself. */
    static boolean mayDefine(Resource resource) {
        return resource.group().contains(".") && !resource.group().endsWith(".k8s.io");
    }

    /** That of the resource; empty for kinds of Kubernetes itself, and of API servers of others. */
    Optional<ObjectNode> of(Resource resource) throws InterruptedException {
        if (!mayDefine(resource)) {
            return Optional.empty();
        }
        try {
            String name = resource.plural() + "." + resource.group();
            return Optional.of(api.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    /** The version that objects of the resource are stored in, if a webhook converts them to the others. */
    Optional<String> storedVersion(Resource resource) throws InterruptedException {
        return of(resource)
                .filter(definition ->
                        definition.at("/spec/conversion/strategy").asString("").equals("Webhook"))
                .flatMap(definition -> definition
                        .path("spec")
                        .path("versions")
                        .valueStream()
                        .filter(version -> version.path("storage").asBoolean(false))
                        .map(version -> version.path("name").asString(""))
                        .findFirst());
    }

    /** The versions that the definition of the resource serves; empty if there is none. */
    Set<String> servedVersions(Resource resource) throws InterruptedException {
        return of(resource).stream()
                .flatMap(definition -> definition.path("spec").path("versions").valueStream())
                .filter(version -> version.path("served").asBoolean(false))
                .map(version -> version.path("name").asString(""))
                .collect(Collectors.toSet());
    }
}
