package dev.kopf4j.devcluster.controller.history;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.SortedKeys;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A revision of a workload: its template as it was at a time. Immutable.
 *
 * @param number grows with each change, also if the template was used before
 */
public record Revision(StoredObject object, long number, String hash, JsonNode data) {
    /** Its label with a hash, which daemon sets give their pods. */
    static final String HASH = "controller-revision-hash";

    static Revision of(StoredObject object) {
        ObjectNode tree = object.tree();
        return new Revision(
                object,
                tree.path("revision").longValue(0),
                Json.string(tree, "metadata", "labels", HASH),
                tree.path("data"));
    }

    /** Its name. */
    public String name() {
        return object.name();
    }

    /** The template of pods. */
    public ObjectNode template() {
        ObjectNode template = (ObjectNode) data.at("/spec/template").deepCopy();
        template.remove("$patch");
        return template;
    }

    /**
     * The content of a revision with a template: a patch that puts it in place of another one, with sorted keys, as Go
     * writes maps ({@code getPatch} in {@code pkg/controller/daemon/update.go}, v1.33).
     */
    static ObjectNode data(JsonNode template) {
        ObjectNode data = Json.object();
        ObjectNode copy = (ObjectNode) template.deepCopy();
        data.putObject("spec").set("template", copy.put("$patch", "replace"));
        return SortedKeys.of(data);
    }

    boolean has(JsonNode other) {
        return JsonEquality.same(data, other);
    }
}
