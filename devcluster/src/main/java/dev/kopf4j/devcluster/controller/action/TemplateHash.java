package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.json.Json;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;

/** Short texts that tell templates apart; another function than the real one. Pure. */
public final class TemplateHash {
    private TemplateHash() {}

    /** The hash of a tree, fit for names and labels. */
    public static String of(JsonNode tree) {
        CRC32 sum = new CRC32();
        sum.update(Json.bytes(tree));
        return Long.toString(sum.getValue(), 36);
    }
}
