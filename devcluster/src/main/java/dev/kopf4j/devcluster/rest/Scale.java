package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.patch.MergePatch;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The scale subresource: a narrow view of an object's replicas. Thread-safe. */
final class Scale {
    private static final String SPEC_PATH = "specReplicasPath";
    private final Reading reading;
    private final Updating updating;

    Scale(Reading reading, Updating updating) {
        this.reading = reading;
        this.updating = updating;
    }

    Answer answer(Call call) {
        Resource resource = call.resource();
        return switch (call.request().method()) {
            case "GET" -> new Answer(200, show(call, Shown.tree(resource, reading.get(call))));
            case "PUT" -> change(call, (present, shown) -> (ObjectNode) Bodies.document(call));
            case "PATCH" -> change(call, (present, shown) -> patched(call, shown));
            case "POST" -> throw ApiException.verbNotSupported("create", call.subject());
            default -> throw ApiException.verbNotSupported("delete", call.subject());
        };
    }

    private static ObjectNode patched(Call call, ObjectNode shown) {
        JsonNode patch = Json.parse(call.request().body());
        return switch (patch) {
            case ObjectNode object -> {
                MergePatch.apply(shown, object);
                yield shown;
            }
            case ArrayNode array -> {
                try {
                    yield (ObjectNode) JsonPatch.apply(shown, array);
                } catch (JsonPatch.Failed e) {
                    throw ApiException.unprocessable();
                }
            }
            default -> throw ApiException.badRequest("error decoding patch: it is neither an object nor a list");
        };
    }

    @FunctionalInterface
    private interface Edit {
        ObjectNode scale(ObjectNode present, ObjectNode shown);
    }

    private Answer change(Call call, Edit edit) {
        Call whole = new Call(
                call.request(), call.resource(), call.namespace(), call.name(), "", call.user(), call.warnings());
        Answer answer = updating.change(whole, present -> {
            ObjectNode scale = edit.scale(present, show(call, present));
            String version = Json.string(scale, "metadata", "resourceVersion");
            if (!version.isEmpty()) {
                Json.child(present, "metadata").put("resourceVersion", version);
            }
            JsonNode replicas = scale.path("spec").path("replicas");
            long wanted = replicas.longValue(0);
            String path = path(call.resource(), SPEC_PATH, ".spec.replicas");
            if (wanted < 0) {
                throw ApiException.invalid(
                        call.resource().kindSubject(call.name()),
                        List.of(Cause.invalid(path, String.valueOf(wanted), "should be a non-negative integer")));
            }
            set(present, path, wanted);
            return present;
        });
        return new Answer(200, show(call, answer.object()));
    }

    private static void set(ObjectNode object, String path, long value) {
        String[] names = path.substring(1).split("\\.", -1);
        ObjectNode parent = object;
        for (int index = 0; index < names.length - 1; index++) {
            parent = Json.child(parent, names[index]);
        }
        parent.put(names[names.length - 1], value);
    }

    private static String path(Resource resource, String name, String usual) {
        CustomKind custom = resource.custom();
        return custom == null ? usual : Json.string(custom.scale(), name);
    }

    private static JsonNode at(JsonNode object, String path) {
        return path.isEmpty()
                ? Json.missing()
                : Json.at(object, path.substring(1).split("\\.", -1));
    }

    private ObjectNode show(Call call, ObjectNode object) {
        Resource resource = call.resource();
        String specPath = path(resource, SPEC_PATH, ".spec.replicas");
        JsonNode wanted = at(object, specPath);
        if (wanted.isMissingNode()) {
            throw ApiException.internal("the spec replicas field \"" + specPath + "\" does not exist");
        }
        ObjectNode scale = Json.object();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String name : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(name);
            if (value != null) {
                metadata.set(name, value);
            }
        }
        scale.putObject("spec").set("replicas", wanted);
        long replicas = at(object, path(resource, "statusReplicasPath", ".status.replicas"))
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
            return at(object, path(resource, "labelSelectorPath", "")).stringValue("");
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
