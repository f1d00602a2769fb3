package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of an object, kept for later: JSON text without {@code metadata.managedFields}, which no handler needs. A
 * tree would take some ten times the memory. Immutable.
 */
public final class CompactBody {
    private final byte[] json;
    private final String version;

    private CompactBody(byte[] json, String version) {
        this.json = json;
        this.version = version;
    }

    /** Keeps a state; the tree is left as it is. */
    public static CompactBody of(ObjectNode body) {
        ObjectNode slim = body;
        if (body.path("metadata").has("managedFields")) {
            slim = body.deepCopy();
            ((ObjectNode) slim.path("metadata")).remove("managedFields");
        }
        return new CompactBody(
                Json.bytes(slim), body.path("metadata").path("resourceVersion").asString(""));
    }

    /** The resource version of the state, for which it need not be parsed; empty text if it has none. */
    public String version() {
        return version;
    }

    /** Parses the state: each call gives a new tree. */
    public ObjectNode parse() {
        return Json.parseObject(json);
    }
}
