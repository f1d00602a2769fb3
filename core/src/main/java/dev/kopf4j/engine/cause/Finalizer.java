package dev.kopf4j.engine.cause;

import dev.kopf4j.json.Json;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operator's mark that holds objects back from their deletion. Immutable.
 *
 * @param name the finalizer's name
 */
public record Finalizer(String name) {
    /** True if the object is held by it. */
    public boolean isOn(ObjectNode body) {
        for (JsonNode each : list(body).values()) {
            if (isThis(each)) {
                return true;
            }
        }
        return false;
    }

    /** Puts it on the object, behind the others; does nothing if it is there. */
    public void addTo(ObjectNode body) {
        if (!isOn(body)) {
            ArrayNode others = list(body);
            JsonNode metadata = body.get("metadata");
            ObjectNode meta = metadata instanceof ObjectNode object ? object : body.putObject("metadata");
            ArrayNode all = meta.putArray("finalizers");
            all.addAll(others);
            all.add(name);
        }
    }

    /** Takes it off the object, wherever and however often it is there; an empty list goes too. */
    public void removeFrom(ObjectNode body) {
        if (isOn(body) && body.get("metadata") instanceof ObjectNode meta) {
            ArrayNode all = list(body);
            IntStream.iterate(all.size() - 1, i -> i >= 0, i -> i - 1)
                    .filter(i -> isThis(all.get(i)))
                    .forEach(all::remove);
            if (all.isEmpty()) {
                meta.remove("finalizers");
            }
        }
    }

    private boolean isThis(JsonNode element) {
        return element.isString() && element.stringValue().equals(name);
    }

    private static ArrayNode list(ObjectNode body) {
        return body.path("metadata").path("finalizers") instanceof ArrayNode found
                ? found
                : Json.mapper().createArrayNode();
    }
}
