package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts between objects of a resource and their scale subresource: {@code scaleFromCustomResource} in
 * {@code pkg/registry/customresource/etcd.go} of the apiextensions-apiserver, v1.33.
 */
public record ScaleConversion(Resource resource) {
    private static final String SPEC_PATH = "specReplicasPath";

    /** Sets the wanted number of replicas in an object. */
    public void set(ObjectNode object, long replicas) {
        String[] names = wantedPath().substring(1).split("\\.", -1);
        ObjectNode parent = object;
        for (int index = 0; index < names.length - 1; index++) {
            parent = Json.child(parent, names[index]);
        }
        parent.put(names[names.length - 1], replicas);
    }

    private static String path(Resource resource, String name, String usual) {
        CustomKind custom = resource.custom();
        return custom == null ? usual : Json.string(custom.scale(), name);
    }

    /** The path of the wanted number of replicas. */
    public String wantedPath() {
        return path(resource, SPEC_PATH, ".spec.replicas");
    }

    /** Whether an object has a wanted number of replicas. */
    public boolean isSet(ObjectNode object) {
        return !Json.atPath(object, wantedPath()).isMissingNode();
    }

    /** The scale of an object; the type leaves out a wanted number of zero. */
    public ObjectNode of(ObjectNode object) {
        JsonNode wanted = Json.atPath(object, wantedPath());
        ObjectNode scale = Json.object();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String name : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(name);
            if (value != null) {
                metadata.set(name, value);
            }
        }
        ObjectNode spec = scale.putObject("spec");
        if (wanted.longValue(0) != 0) {
            spec.set("replicas", wanted);
        }
        long replicas = Json.atPath(object, path(resource, "statusReplicasPath", ".status.replicas"))
                .longValue(0);
        ObjectNode status = scale.putObject("status").put("replicas", replicas);
        String selector = selector(resource, object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static String selector(Resource resource, ObjectNode object) {
        if (resource.isCustom()) {
            return Json.atPath(object, path(resource, "labelSelectorPath", "")).stringValue("");
        }
        JsonNode selector = object.path("spec").path("selector");
        if (selector.has("matchLabels") || selector.has("matchExpressions")) {
            return LabelSelector.of(selector).toText();
        }
        return selector.properties().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString())
                .sorted()
                .collect(Collectors.joining(","));
    }
}
