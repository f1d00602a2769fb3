package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The start of the next page of a list: {@code pkg/storage/continue.go} of the apiserver library, v1.33.
 *
 * @param version the version of all pages
 * @param after the key of the last object of the page before
 */
public record ContinueToken(long version, String after) {
    public static ContinueToken parse(String token) {
        try {
            byte[] decoded = Base64.getUrlDecoder().decode(token);
            JsonNode content = Json.parse(decoded);
            if (!(content instanceof ObjectNode) || !content.path("rv").isIntegralNumber()) {
                throw invalid("continue key is not valid");
            }
            ContinueToken read = new ContinueToken(content.path("rv").longValue(), Json.string(content, "start"));
            if (!Json.string(content, "v").equals("meta.k8s.io/v1") || read.version == 0 || read.after.isEmpty()) {
                throw invalid("continue key is not valid: incorrect encoding");
            }
            return read;
        } catch (IllegalArgumentException | JacksonException e) {
            throw invalid("continue key is not valid: " + e.getMessage());
        }
    }

    private static ApiException invalid(String reason) {
        return ApiException.badRequest("invalid continue token: " + reason);
    }

    @Override
    public String toString() {
        ObjectNode content = Json.object();
        content.put("v", "meta.k8s.io/v1").put("rv", version).put("start", after);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Json.text(content).getBytes(StandardCharsets.UTF_8));
    }
}
