package dev.kopf4j.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Makes and applies JSON patches (RFC 6902).
 *
 * <p>Pure functions.
 */
public final class JsonPatch {
    private JsonPatch() {}

    /**
     * Returns the operations ({@code add}, {@code replace}, {@code remove}) that turn one document into the other; none
     * if they are the same. Lists keep their common beginning and end, so that one element more or less is one
     * operation.
     */
    public static ArrayNode diff(JsonNode from, JsonNode to) {
        return new JsonPatchWriter().write(from, to);
    }

    /**
     * Returns a new tree: the document with all operations applied in turn. All six kinds of operations are known.
     *
     * @throws JsonPatchException if one of them is impossible; then none is applied
     */
    public static JsonNode apply(JsonNode document, ArrayNode operations) {
        JsonPatchDocument target = new JsonPatchDocument(document.deepCopy());
        for (JsonNode operation : operations) {
            target.apply(operation);
        }
        return target.document();
    }
}
