package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers admission reviews as the running trace says, without a socket. */
final class Webhooks implements WebhookCaller {
    private final Map<String, JsonNode> rules = new HashMap<>();
    private final Map<String, List<JsonNode>> calls = new HashMap<>();

    void rule(String path, JsonNode rule) {
        rules.put(path, rule);
    }

    ArrayNode take(String path) {
        ArrayNode taken = Json.array();
        List<JsonNode> found = calls.remove(path);
        if (found != null) {
            found.forEach(taken::add);
        }
        return taken;
    }

    int count(String path) {
        return calls.getOrDefault(path, List.of()).size();
    }

    @Override
    public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
        URI uri = URI.create(url);
        JsonNode review = Json.parse(body);
        ObjectNode call = Json.object().put("query", uri.getQuery()).put("contentType", "application/json");
        call.set("review", review);
        calls.computeIfAbsent(uri.getPath(), path -> new ArrayList<>()).add(call);
        JsonNode rule = rules.getOrDefault(uri.getPath(), Json.object().put("http", 404));
        if (Duration.ofSeconds(rule.path("delay").longValue(0)).compareTo(timeout) > 0) {
            throw new IOException("Post \"" + url + "\": context deadline exceeded");
        }
        if (rule.has("http")) {
            throw new IOException("an error on the server (\"\") has prevented the request from succeeding");
        }
        if (rule.has("rawBody")) {
            return rule.get("rawBody").stringValue().getBytes(StandardCharsets.UTF_8);
        }
        return answer(rule, review);
    }

    private static byte[] answer(JsonNode rule, JsonNode review) {
        ObjectNode response = rule.path("response") instanceof ObjectNode given
                ? given.deepCopy()
                : Json.object().put("allowed", true);
        response.put("uid", Json.string(review, "request", "uid"));
        JsonNode patch = response.remove("jsonPatch");
        if (patch != null) {
            response.put("patch", Base64.getEncoder().encodeToString(Json.bytes(patch)));
            response.put("patchType", "JSONPatch");
        }
        ObjectNode answer =
                Json.object().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        answer.set("response", response);
        return Json.bytes(answer);
    }
}
