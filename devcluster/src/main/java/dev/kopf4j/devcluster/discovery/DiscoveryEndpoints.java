package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resource.Subresource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.IndentedJson;
import dev.kopf4j.devcluster.response.ResponseFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The discovery endpoints, plain and aggregated: {@code pkg/endpoints/discovery} of the apiserver library, v1.33.
 * Thread-safe.
 */
public final class DiscoveryEndpoints {
    private final KubernetesVersion kubernetes;
    private final ServedResources servedResources;
    private final OpenApiDocuments openApiDocuments;

    /** Describes these resources of an API server of this version. */
    public DiscoveryEndpoints(ServedResources servedResources, KubernetesVersion kubernetes) {
        this.kubernetes = kubernetes;
        this.servedResources = servedResources;
        this.openApiDocuments = new OpenApiDocuments(servedResources, kubernetes);
    }

    /** {@code /version}. */
    public ApiResponse version() {
        return IndentedJson.of(
                ResponseFactory.object(200, AcceptHeader.JSON, ServerVersion.info(kubernetes), List.of()));
    }

    /** {@code /api}. */
    public ApiResponse core(ApiRequest request) {
        if (AggregatedDiscovery.wanted(request)) {
            return AggregatedDiscovery.response(servedResources.groups().stream()
                    .filter(group -> group.name().isEmpty())
                    .toList());
        }
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", "127.0.0.1");
        return answer(request, versions);
    }

    /** {@code /apis}. */
    public ApiResponse groups(ApiRequest request) {
        List<ServedResources.Group> named = servedResources.groups().stream()
                .filter(group -> !group.name().isEmpty())
                .toList();
        if (AggregatedDiscovery.wanted(request)) {
            return AggregatedDiscovery.response(named);
        }
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        named.forEach(group -> groups.add(describe(group)));
        return answer(request, list);
    }

    /** {@code /apis/GROUP}. */
    public ApiResponse group(ServedResources.Group group, ApiRequest request) {
        ObjectNode node = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        node.setAll(describe(group));
        return answer(request, node);
    }

    private static ObjectNode describe(ServedResources.Group group) {
        ObjectNode node = Json.object().put("name", group.name());
        ArrayNode versions = node.putArray("versions");
        for (String version : group.versions().keySet()) {
            versions.addObject()
                    .put("groupVersion", group.name() + "/" + version)
                    .put("version", version);
        }
        node.set("preferredVersion", versions.get(0).deepCopy());
        return node;
    }

    /** {@code /api/v1} and {@code /apis/GROUP/VERSION}. */
    public ApiResponse version(ServedResources.Group group, String version, ApiRequest request) {
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        if (!group.name().isEmpty()) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", group.name().isEmpty() ? version : group.name() + "/" + version);
        ArrayNode entries = list.putArray("resources");
        for (Resource resource : group.version(version)) {
            entries.add(describe(resource));
            resource.subresources().forEach(sub -> entries.add(describe(resource, sub)));
        }
        return answer(request, list);
    }

    private ObjectNode describe(Resource resource) {
        ObjectNode node = Json.object();
        node.put("name", resource.plural()).put("singularName", resource.names().singular());
        node.put("namespaced", resource.namespaced()).put("kind", resource.kind());
        setVerbsAndNames(node, resource);
        if (resource.verbs().containsAll(List.of("create", "list"))) {
            servedResources
                    .findBucket(resource.bucket())
                    .ifPresent(stored -> node.put("storageVersionHash", storageVersionHash(stored)));
        }
        return node;
    }

    private static void setVerbsAndNames(ObjectNode node, Resource resource) {
        node.set("verbs", Json.array(resource.verbs()));
        if (!resource.names().shortNames().isEmpty()) {
            node.set("shortNames", Json.array(resource.names().shortNames()));
        }
        if (!resource.names().categories().isEmpty()) {
            node.set("categories", Json.array(resource.names().categories()));
        }
    }

    /** Tells clients when a resource is stored in another version: {@code storageversionhash.go}. */
    private static String storageVersionHash(Resource stored) {
        String kind = stored.group() + "/" + stored.version() + "/" + stored.kind();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(kind.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, Long.BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }

    private static ObjectNode describe(Resource resource, Subresource subresource) {
        ObjectNode node = Json.object();
        node.put("name", resource.plural() + "/" + subresource.name()).put("singularName", "");
        node.put("namespaced", resource.namespaced());
        if (!subresource.group().isEmpty()) {
            node.put("group", subresource.group());
        }
        if (!subresource.version().isEmpty()) {
            node.put("version", subresource.version());
        }
        node.put("kind", subresource.kind());
        node.set("verbs", Json.array(subresource.verbs()));
        return node;
    }

    /** The OpenAPI documents; empty if the path is another one. */
    public Optional<ApiResponse> openapi(ApiRequest request) {
        return openApiDocuments.answer(request);
    }

    private static ApiResponse answer(ApiRequest request, JsonNode node) {
        return ResponseFactory.object(200, AcceptHeader.of(request), node, List.of());
    }

    /** Discovery in one document (KEP-3352). */
    private static final class AggregatedDiscovery {
        private static final String TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

        private AggregatedDiscovery() {}

        /** Whether the client prefers aggregated discovery. */
        static boolean wanted(ApiRequest request) {
            String accept = request.header("accept").orElse("");
            for (String wish : accept.split(",", -1)) {
                String compact = wish.replace(" ", "");
                boolean json = compact.startsWith("application/json");
                if (json && compact.contains("as=APIGroupDiscoveryList") && compact.contains("v=v2;")) {
                    return true;
                }
                if (json && compact.contains("as=APIGroupDiscoveryList") && compact.endsWith("v=v2")) {
                    return true;
                }
                if (json && !compact.contains("as=")) {
                    return false;
                }
            }
            return false;
        }

        static ApiResponse response(List<ServedResources.Group> groups) {
            ObjectNode list = Json.object();
            list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
            list.putObject("metadata");
            ArrayNode items = list.putArray("items");
            groups.forEach(group -> items.add(group(group)));
            return ApiResponse.whole(200, TYPE, Json.bytes(list));
        }

        private static ObjectNode group(ServedResources.Group group) {
            ObjectNode node = Json.object();
            ObjectNode metadata = node.putObject("metadata");
            if (!group.name().isEmpty()) {
                metadata.put("name", group.name());
            }
            ArrayNode versions = node.putArray("versions");
            group.versions().forEach((name, resources) -> {
                ObjectNode version = versions.addObject().put("version", name);
                ArrayNode entries = version.putArray("resources");
                resources.forEach(resource -> entries.add(resource(resource)));
                version.put("freshness", "Current");
            });
            return node;
        }

        private static ObjectNode resource(Resource resource) {
            ObjectNode node = Json.object();
            node.put("resource", resource.plural());
            node.set("responseKind", kind(resource, "", "", resource.kind()));
            node.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
            node.put("singularResource", resource.names().singular());
            setVerbsAndNames(node, resource);
            if (!resource.subresources().isEmpty()) {
                ArrayNode subresources = node.putArray("subresources");
                resource.subresources().forEach(sub -> subresources.add(subresource(resource, sub)));
            }
            return node;
        }

        private static ObjectNode subresource(Resource resource, Subresource subresource) {
            ObjectNode node = Json.object().put("subresource", subresource.name());
            node.set("responseKind", kind(resource, subresource.group(), subresource.version(), subresource.kind()));
            node.set("verbs", Json.array(subresource.verbs()));
            return node;
        }

        /** Built-in kinds leave group and version empty when they are those of the document's place. */
        private static ObjectNode kind(Resource resource, String group, String version, String kind) {
            boolean own = group.isEmpty() && version.isEmpty() && resource.isCustom();
            return Json.object()
                    .put("group", own ? resource.group() : group)
                    .put("version", own ? resource.version() : version)
                    .put("kind", kind);
        }
    }
}
