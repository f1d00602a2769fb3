package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.testing.recording.Recording;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts another object of the same name in the place of an object that handlers were called for: with its labels and its
 * content, without its status, its annotations and its finalizers. Confined to the simulation.
 */
final class ObjectReplacement {
    private static final List<String> KEPT = List.of("name", "namespace", "labels");

    private final Function<ApiRequest, ApiResponse> server;
    private final String token;
    private final Recording recording;

    ObjectReplacement(Function<ApiRequest, ApiResponse> server, String token, Recording recording) {
        this.server = server;
        this.token = token;
        this.recording = recording;
    }

    /** Replaces the object that the request is about, if handlers were called for it, and nobody has deleted it. */
    void before(ApiRequest request) {
        String path = request.path().replaceAll("[?].*", "").replaceAll("/status$", "");
        ApiResponse found = send("GET", path, "application/json", null);
        if (found.status() != 200 || !(found.body() instanceof ApiResponse.Whole(byte[] bytes))) {
            return;
        }
        ObjectNode object = Json.parseObject(bytes);
        String uid = object.path("metadata").path("uid").asString("");
        if (object.path("metadata").has("deletionTimestamp")
                || recording.calls().stream().noneMatch(call -> call.uid().equals(uid))) {
            return;
        }
        send(
                "PATCH",
                path,
                "application/merge-patch+json",
                Json.parseObject(
                        "{\"metadata\":{\"finalizers\":null}}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        send("DELETE", path, "application/json", null);
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.retain(KEPT);
        object.remove("status");
        ApiResponse created = send("POST", path.substring(0, path.lastIndexOf('/')), "application/json", object);
        recording.noted("another object has the name, " + path + ": HTTP " + created.status());
    }

    private ApiResponse send(
            String method, String path, String type, @org.jspecify.annotations.Nullable ObjectNode body) {
        return server.apply(ApiRequest.of(
                method,
                path,
                Map.of("Authorization", "Bearer " + token, "Content-Type", type, "User-Agent", "somebody"),
                body == null ? new byte[0] : Json.bytes(body)));
    }
}
