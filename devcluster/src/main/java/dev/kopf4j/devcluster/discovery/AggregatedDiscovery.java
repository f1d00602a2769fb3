package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resource.Subresource;
import dev.kopf4j.devcluster.resource.ServedResources;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Discovery in one document (KEP-3352). */
final class AggregatedDiscovery {
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
        node.set("verbs", Json.array(resource.verbs()));
        if (!resource.names().shortNames().isEmpty()) {
            node.set("shortNames", Json.array(resource.names().shortNames()));
        }
        if (!resource.names().categories().isEmpty()) {
            node.set("categories", Json.array(resource.names().categories()));
        }
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
