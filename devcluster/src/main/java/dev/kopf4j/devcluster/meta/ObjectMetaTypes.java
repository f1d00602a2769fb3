package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.value.DecodingException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks the JSON types of metadata fields. An empty value counts as missing. */
public final class ObjectMetaTypes {
    private static final Set<String> STRINGS =
            Set.of("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion");
    private static final Set<String> TIMES = Set.of("creationTimestamp", "deletionTimestamp");
    private static final Set<String> NUMBERS = Set.of("generation", "deletionGracePeriodSeconds");
    private static final Set<String> MAPS = Set.of("labels", "annotations");
    private static final Set<String> LISTS = Set.of("ownerReferences", "finalizers", "managedFields");

    private ObjectMetaTypes() {}

    /** Drops nulls and empty values in place; 400 for a value of the wrong type. */
    public static void check(Resource resource, ObjectNode object) {
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        for (Map.Entry<String, JsonNode> entry : List.copyOf(metadata.properties())) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (isNothing(value) && !(name.equals("managedFields") && value.isArray())) {
                metadata.remove(name);
            } else if (!fits(name, value)) {
                throw ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                        + "\" cannot be handled as a " + resource.kind() + ": json: cannot unmarshal "
                        + typeOf(name, value) + " into Go struct field ObjectMeta."
                        + (resource.isCustom() ? "" : "metadata.") + name + " of type "
                        + expected(name));
            }
        }
        metadata.remove("selfLink");
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull()
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isContainer() && value.isEmpty());
    }

    private static boolean fits(String name, JsonNode value) {
        if (STRINGS.contains(name) || TIMES.contains(name)) {
            return value.isString();
        }
        if (NUMBERS.contains(name)) {
            return value.isIntegralNumber();
        }
        if (MAPS.contains(name)) {
            return value.isObject() && value.valueStream().allMatch(each -> each.isString() || each.isNull());
        }
        if (LISTS.contains(name)) {
            boolean strings = name.equals("finalizers");
            return value.isArray() && value.valueStream().allMatch(each -> strings ? each.isString() : each.isObject());
        }
        return true;
    }

    private static String typeOf(String name, JsonNode value) {
        JsonNode wrong = MAPS.contains(name) && value.isObject()
                ? value.valueStream()
                        .filter(each -> !each.isString())
                        .findFirst()
                        .orElse(value)
                : value;
        return DecodingException.word(wrong);
    }

    private static String expected(String name) {
        return NUMBERS.contains(name) ? "int64" : LISTS.contains(name) ? "[]string" : "string";
    }

    /** The metadata of an object, made when missing. */
    public static ObjectNode metadata(ObjectNode object) {
        return Json.child(object, "metadata");
    }
}
