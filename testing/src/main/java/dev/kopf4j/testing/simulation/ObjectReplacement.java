package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.testing.recording.Recording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts another object of the same name in the place of an object that handlers were called for: with its labels and its
 * content, without its status, its annotations and its finalizers. As by {@code kubectl replace --force}: the object is
 * deleted, which waits for its finalizers, and created anew in the moment in which it is gone. Confined to the
 * simulation.
 */
final class ObjectReplacement {
    private static final List<String> KEPT = List.of("name", "namespace", "labels");
    private static final String SOMEBODY = "somebody";

    private final Function<ApiRequest, ApiResponse> server;
    private final String token;
    private final Recording recording;

    /** By path, what takes the place of an object that is being deleted, as soon as that is gone. */
    private final Map<String, ObjectNode> waiting = new LinkedHashMap<>();

    ObjectReplacement(Function<ApiRequest, ApiResponse> server, String token, Recording recording) {
        this.server = server;
        this.token = token;
        this.recording = recording;
    }

    /** Replaces the object that the request is about, if handlers were called for it, and nobody has deleted it. */
    void before(ApiRequest request) {
        String path = request.path().replaceAll("[?].*", "").replaceAll("/status$", "");
        ApiResponse found = send("GET", path, null);
        if (found.status() != 200 || !(found.body() instanceof ApiResponse.Whole(byte[] bytes))) {
            return;
        }
        ObjectNode object = Json.parseObject(bytes);
        String uid = object.path("metadata").path("uid").asString("");
        if (object.path("metadata").has("deletionTimestamp")
                || recording.calls().stream().noneMatch(call -> call.uid().equals(uid))) {
            return;
        }
        ObjectNode next = object.deepCopy();
        ((ObjectNode) next.path("metadata")).retain(KEPT);
        next.remove("status");
        waiting.put(path, next);
        send("DELETE", path, null);
        if (send("GET", path, null).status() == 404) {
            create(path);
        } else {
            recording.noted("fault", "somebody deletes the object, to create another one of the name, " + path);
        }
    }

    /** A request was answered: what it has removed is created anew. */
    void answered(ApiRequest request) {
        if (waiting.isEmpty()
                || request.method().equals("GET")
                || request.header("User-Agent").orElse("").equals(SOMEBODY)) {
            return;
        }
        List.copyOf(waiting.keySet()).stream()
                .filter(path -> send("GET", path, null).status() == 404)
                .forEach(this::create);
    }

    private void create(String path) {
        ApiResponse created = send("POST", path.substring(0, path.lastIndexOf('/')), waiting.remove(path));
        recording.noted("fault", "another object has the name, " + path + ": HTTP " + created.status());
    }

    private ApiResponse send(String method, String path, @Nullable ObjectNode body) {
        return server.apply(ApiRequest.of(
                method,
                path,
                Map.of("Authorization", "Bearer " + token, "Content-Type", "application/json", "User-Agent", SOMEBODY),
                body == null ? new byte[0] : Json.bytes(body)));
    }
}
