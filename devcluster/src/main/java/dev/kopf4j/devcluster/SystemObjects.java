package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects that every API server makes of itself: which groups it serves, and how it would share itself between
 * requests. See {@code cmd/kube-apiserver/app/aggregator.go} and {@code pkg/apis/flowcontrol/bootstrap/default.go} of
 * the apiserver library, v1.33; the data are in {@code system-objects.json}.
 */
final class SystemObjects {
    private static final String AUTOMATIC = "apf.kubernetes.io/autoupdate-spec";
    private final ServerContext state;

    SystemObjects(ServerContext state) {
        this.state = state;
    }

    void install() {
        JsonNode data = read();
        for (ServedResources.Group group : state.servedResources().groups()) {
            group.versions().keySet().forEach(version -> apiService(group.name(), version, data.path("priorities")));
        }
        data.path("schemas").properties().forEach(schema -> {
            ObjectNode spec = Json.object();
            spec.putObject("priorityLevelConfiguration")
                    .put("name", schema.getValue().get(1).asString());
            spec.put("matchingPrecedence", schema.getValue().get(0).longValue());
            flowControl("flowschemas", schema.getKey(), spec);
        });
        data.path("levels")
                .properties()
                .forEach(level -> flowControl("prioritylevelconfigurations", level.getKey(), (ObjectNode)
                        level.getValue().deepCopy()));
    }

    private static JsonNode read() {
        try (InputStream stream = SystemObjects.class.getResourceAsStream("system-objects.json")) {
            if (stream == null) {
                throw new IllegalStateException("system-objects.json is missing beside " + SystemObjects.class);
            }
            return Json.parse(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("system-objects.json cannot be read", e);
        }
    }

    private void apiService(String group, String version, JsonNode priorities) {
        JsonNode priority = priorities.path(group);
        ObjectNode object = named(version + "." + group);
        Json.child(object, "metadata").putObject("labels").put("kube-aggregator.kubernetes.io/automanaged", "onstart");
        ObjectNode spec = object.putObject("spec");
        if (!group.isEmpty()) {
            spec.put("group", group);
        }
        spec.put("version", version)
                .put("groupPriorityMinimum", priority.isMissingNode() ? 17000 : priority.longValue())
                .put("versionPriority", group.isEmpty() ? 1 : version.equals("v2") ? 30 : 15);
        object.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Available")
                .put("status", "True")
                .put("lastTransitionTime", state.now())
                .put("reason", "Local")
                .put("message", "Local APIServices are always available");
        store("apiregistration.k8s.io/apiservices", object);
    }

    private void flowControl(String plural, String name, ObjectNode spec) {
        ObjectNode object = named(name);
        Json.child(object, "metadata")
                .put("generation", 1)
                .putObject("annotations")
                .put(AUTOMATIC, "true");
        object.set("spec", spec);
        object.putObject("status");
        store("flowcontrol.apiserver.k8s.io/" + plural, object);
    }

    private ObjectNode named(String name) {
        ObjectNode object = Json.object();
        object.putObject("metadata")
                .put("name", name)
                .put("uid", state.nameGenerator().uid())
                .put("creationTimestamp", state.now());
        return object;
    }

    private void store(String id, ObjectNode object) {
        ResourceBucket bucket = state.objectStore().bucket(id);
        if (bucket.get("", Json.string(object, "metadata", "name")) == null) {
            state.objectStore().create(bucket, StoredObject.of(object));
        }
    }
}
