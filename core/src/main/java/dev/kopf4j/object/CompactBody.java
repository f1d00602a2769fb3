package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of an object as JSON text, without {@code metadata.managedFields}, which no handler needs. A tree would
 * take about ten times the memory. Immutable.
 */
public final class CompactBody {
    private final byte[] json;
    private final String version;

    private CompactBody(byte[] json, String version) {
        this.json = json;
        this.version = version;
    }

    /** Makes the text of a state; the tree stays as it is. */
    public static CompactBody of(ObjectNode body) {
        ObjectNode slim = body;
        if (body.path("metadata").has("managedFields")) {
            slim = body.deepCopy();
            ((ObjectNode) slim.path("metadata")).remove("managedFields");
        }
        return new CompactBody(
                Json.bytes(slim), body.path("metadata").path("resourceVersion").asString(""));
    }

    /** The resource version of the state, known without parsing it; an empty text if it has none. */
    public String version() {
        return version;
    }

    /** Parses the state; each call returns a new tree. */
    public ObjectNode parse() {
        return Json.parseObject(json);
    }
}
