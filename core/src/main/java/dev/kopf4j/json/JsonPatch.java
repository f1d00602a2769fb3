package dev.kopf4j.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Makes and applies JSON patches (RFC 6902).
 *
 * <p>Stateless.
 */
public final class JsonPatch {
    private JsonPatch() {}

    /**
     * Answers the operations ({@code add}, {@code replace}, {@code remove}) that turn one document into the other; none
     * if they are the same. Lists keep their common beginning and end, so that one more or one less element is one
     * operation.
     */
    public static ArrayNode diff(JsonNode from, JsonNode to) {
        return new JsonPatchWriter().write(from, to);
    }

    /**
     * Answers the document with all operations applied in turn, of all six kinds: a new tree.
     *
     * @throws JsonPatchException if any of them is impossible; then none counts
     */
    public static JsonNode apply(JsonNode document, ArrayNode operations) {
        JsonPatchDocument target = new JsonPatchDocument(document.deepCopy());
        for (JsonNode operation : operations) {
            target.apply(operation);
        }
        return target.document();
    }

    static String escape(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    static String unescape(String key) {
        return key.replace("~1", "/").replace("~0", "~");
    }
}
