package dev.kopf4j.engine.children;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.SortedKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import tools.jackson.databind.JsonNode;

/** Stand for documents where it only matters whether they are the same. Pure. */
public final class Digests {
    private Digests() {}

    /** A number for a set of fields, as the server has written it, and a text; never 0. */
    static long of(JsonNode fields, String text) {
        MessageDigest digest = algorithm();
        digest.update(Json.bytes(fields));
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        long number = ByteBuffer.wrap(digest.digest()).getLong();
        return number == 0 ? 1 : number;
    }

    /** A number for a document, whatever the order of its keys. */
    public static long of(JsonNode document) {
        return ByteBuffer.wrap(algorithm().digest(Json.bytes(SortedKeys.valueOf(document))))
                .getLong();
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
