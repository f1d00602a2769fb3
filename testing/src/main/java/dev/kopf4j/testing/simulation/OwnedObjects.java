package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.testing.recording.Recording;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The objects with owners that operators have written, and somebody who edits and deletes them. Confined. */
final class OwnedObjects {
    private static final List<String> CONTENT = List.of("data", "stringData", "spec");

    private final Function<ApiRequest, ApiResponse> server;
    private final String token;
    private final Recording recording;
    private final Set<String> paths = new LinkedHashSet<>();

    OwnedObjects(Function<ApiRequest, ApiResponse> server, String token, Recording recording) {
        this.server = server;
        this.token = token;
        this.recording = recording;
    }

    /** Remembers what an operator or its handlers' client has written with an owner. */
    void answered(ApiRequest request, ApiResponse response) {
        boolean writes = List.of("POST", "PUT", "PATCH").contains(request.method());
        boolean byOperator = request.header("User-Agent").orElse("").startsWith("kopf4j/");
        if (writes
                && byOperator
                && response.status() < 300
                && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                && Json.parse(bytes) instanceof ObjectNode object
                && !object.path("metadata").path("ownerReferences").isEmpty()) {
            String path = request.path().replaceAll("/status$", "");
            String name = object.path("metadata").path("name").asString("");
            paths.add(request.method().equals("POST") ? path + "/" + name : path);
        }
    }

    /** Somebody deletes one of them. */
    void delete(Random random) {
        pick(
                random,
                path -> "somebody deletes " + path + ": HTTP "
                        + send("DELETE", path, null).status());
    }

    /** Somebody changes a value in the content of one of them, if the server lets it be changed. */
    void edit(Random random) {
        pick(random, path -> {
            ObjectNode patch = Json.object();
            JsonNode object = Json.parse(body(send("GET", path, null)));
            for (String stanza : CONTENT) {
                ObjectNode changed = object.path(stanza) instanceof ObjectNode content ? edited(content) : null;
                if (changed != null) {
                    patch.set(stanza, changed);
                    break;
                }
            }
            return "somebody edits " + path + ": HTTP "
                    + send("PATCH", path, patch).status();
        });
    }

    /** A change of its first value; null if it has none. */
    private static @Nullable ObjectNode edited(ObjectNode content) {
        for (Map.Entry<String, JsonNode> field : content.properties()) {
            ObjectNode changed = Json.object();
            JsonNode value = field.getValue();
            if (value.isString()) {
                return changed.put(field.getKey(), value.asString("").equals("ZWRpdGVk") ? "bW9yZQ==" : "ZWRpdGVk");
            }
            if (value.isIntegralNumber()) {
                return changed.put(field.getKey(), value.asInt() + 1);
            }
            if (value.isBoolean()) {
                return changed.put(field.getKey(), !value.asBoolean());
            }
            ObjectNode below = value instanceof ObjectNode inner ? edited(inner) : null;
            if (below != null) {
                changed.set(field.getKey(), below);
                return changed;
            }
        }
        return null;
    }

    private void pick(Random random, Function<String, String> deed) {
        List<String> present = new ArrayList<>(paths);
        present.removeIf(path -> send("GET", path, null).status() != 200);
        paths.retainAll(present);
        if (!present.isEmpty()) {
            recording.noted("fault", deed.apply(present.get(random.nextInt(present.size()))));
        }
    }

    private static byte[] body(ApiResponse response) {
        return response.body() instanceof ApiResponse.Whole(byte[] bytes)
                ? bytes
                : "{}".getBytes(StandardCharsets.UTF_8);
    }

    private ApiResponse send(String method, String path, @Nullable ObjectNode body) {
        return server.apply(ApiRequest.of(
                method,
                path,
                Map.of(
                        "Authorization", "Bearer " + token,
                        "Content-Type", "application/merge-patch+json",
                        "User-Agent", "somebody"),
                body == null ? new byte[0] : Json.bytes(body)));
    }
}
