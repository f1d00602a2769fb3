package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.TooLargeNumberException;
import dev.kopf4j.devcluster.json.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads objects from JSON or YAML, in the order in which they are to be applied. Pure. */
final class ManifestReader {
    private ManifestReader() {}

    /** All objects, also those in lists; definitions come first, then namespaces. */
    static List<ObjectNode> read(String manifests) {
        List<ObjectNode> objects = new ArrayList<>();
        documents(manifests).forEach(document -> collect(document, objects));
        objects.sort(Comparator.comparingInt(ManifestReader::rank));
        return objects;
    }

    /**
     * Most JSON is YAML, too, but it is not read as that, which would take ten times as long for long texts. What only
     * begins like JSON is YAML in braces, or several objects.
     */
    private static List<JsonNode> documents(String manifests) {
        if (!manifests.stripLeading().startsWith("{")) {
            return YamlReader.documents(manifests);
        }
        try {
            return List.of(Json.parseRequest(manifests.getBytes(StandardCharsets.UTF_8)));
        } catch (JacksonException | TooLargeNumberException _) {
            return YamlReader.documents(manifests);
        }
    }

    private static void collect(JsonNode document, List<ObjectNode> into) {
        if (document.path("items") instanceof ArrayNode items
                && document.path("kind").stringValue("").endsWith("List")) {
            items.forEach(item -> collect(item, into));
        } else if (document instanceof ObjectNode object) {
            into.add(object);
        } else {
            throw new IllegalArgumentException("not a Kubernetes object: " + Json.text(document));
        }
    }

    private static int rank(JsonNode object) {
        return switch (object.path("kind").stringValue("")) {
            case "CustomResourceDefinition" -> 0;
            case "Namespace" -> 1;
            default -> 2;
        };
    }
}
