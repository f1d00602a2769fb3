package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Finds the parameters of bindings: {@code CollectParams} in
 * {@code pkg/admission/plugin/policy/generic/policy_dispatcher.go} of the apiserver library, v1.33. Thread-safe.
 */
record PolicyParameters(ObjectStore objectStore, ServedResources servedResources) {
    /** A policy or a binding that cannot be used. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }
    }

    /** The resource of a policy's parameters; none if the policy has no parameters. */
    Optional<Resource> resource(JsonNode paramKind) throws Unusable {
        if (!paramKind.isObject()) {
            return Optional.empty();
        }
        String apiVersion = Json.string(paramKind, "apiVersion");
        String kind = Json.string(paramKind, "kind");
        Optional<Resource> found = servedResources.findKind(apiVersion, kind);
        if (found.isEmpty()) {
            throw new Unusable("failed to find resource referenced by paramKind: '"
                    + (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + kind + "'");
        }
        return found;
    }

    /**
     * The parameters to evaluate the policy with, once for each; a missing node stands for none.
     *
     * @param paramRef the reference of the binding
     * @param namespace that of the operation
     */
    List<JsonNode> of(Resource resource, JsonNode paramRef, String namespace) throws Unusable {
        if (!paramRef.isObject()) {
            return List.of(Json.missing());
        }
        String own = Json.string(paramRef, "namespace");
        if (!resource.namespaced() && !own.isEmpty()) {
            throw new Unusable("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
        }
        String place = own.isEmpty() ? namespace : own;
        if (resource.namespaced() && place.isEmpty()) {
            throw new Unusable(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
        }
        List<JsonNode> found = find(resource, paramRef, resource.namespaced() ? place : "");
        if (found.isEmpty() && Json.string(paramRef, "parameterNotFoundAction").equals("Deny")) {
            throw new Unusable("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return found;
    }

    private List<JsonNode> find(Resource resource, JsonNode paramRef, String namespace) {
        ResourceBucket bucket = objectStore.bucket(resource.bucket());
        String name = Json.string(paramRef, "name");
        Stream<StoredObject> candidates = name.isEmpty()
                ? objectStore.list(bucket, namespace).objects().stream()
                : Stream.ofNullable(bucket.get(namespace, name));
        LabelSelector selector = LabelSelector.of(paramRef.path("selector"));
        return candidates
                .<JsonNode>map(object -> StorageConversion.tree(resource, object))
                .filter(object -> selector.matches(object.path("metadata").path("labels")))
                .toList();
    }
}
