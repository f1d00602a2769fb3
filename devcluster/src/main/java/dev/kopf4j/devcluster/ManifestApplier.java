package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates one object, or replaces it if it exists. */
final class ManifestApplier {
    /** The controller accepts a definition with its first task, unless other writes come between. */
    private static final int ROUNDS = 1000;

    private final ApiServer server;
    private final ObjectNode object;
    private final String token;
    private final Runnable settle;

    /**
     * Prepares an object for a server.
     *
     * @param settle runs the controllers' tasks that are due, and returns when they are done
     */
    ManifestApplier(ApiServer server, ObjectNode object, String token, Runnable settle) {
        this.settle = settle;
        this.token = token;
        this.server = server;
        this.object = object;
    }

    void apply() {
        JsonNode discovery = awaitKind();
        String collection = base()
                + (discovery.path("namespaced").booleanValue(false) ? namespacePart() : "/")
                + Json.string(discovery, "name");
        ApiResponse created = send("POST", collection, "application/json", Json.bytes(object));
        if (created.status() == 409 && Json.string(body(created), "reason").equals("AlreadyExists")) {
            String place = collection + "/" + Json.string(object, "metadata", "name");
            created = send("PATCH", place, "application/merge-patch+json", Json.bytes(object));
        }
        if (created.status() >= 300) {
            throw new IllegalArgumentException("cannot apply " + describe() + ": " + message(created));
        }
        if (Json.string(object, "kind").equals("CustomResourceDefinition")) {
            awaitEstablished();
        }
    }

    private ApiResponse get(String path) {
        return send("GET", path, "application/json", new byte[0]);
    }

    private ApiResponse send(String method, String path, String type, byte[] body) {
        Map<String, String> headers =
                Map.of("Content-Type", type, "Authorization", "Bearer " + token, "User-Agent", "devcluster/apply");
        return server.handle(ApiRequest.of(method, path, headers, body));
    }

    private String describe() {
        return Json.string(object, "kind") + " " + Json.string(object, "metadata", "name");
    }

    private String base() {
        String apiVersion = Json.string(object, "apiVersion");
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    }

    private String namespacePart() {
        String namespace = Json.string(object, "metadata", "namespace");
        return "/namespaces/" + (namespace.isEmpty() ? "default" : namespace) + "/";
    }

    private JsonNode awaitKind() {
        String kind = Json.string(object, "kind");
        if (kind.isEmpty() || Json.string(object, "apiVersion").isEmpty()) {
            throw new IllegalArgumentException("an object needs apiVersion and kind: " + Json.text(object));
        }
        ApiResponse response = get(base());
        if (response.status() == 200) {
            for (JsonNode resource : body(response).path("resources")) {
                if (Json.string(resource, "kind").equals(kind)
                        && !Json.string(resource, "name").contains("/")) {
                    return resource;
                }
            }
        }
        throw new UnknownKindException("cannot apply " + describe() + ": the cluster does not know kind " + kind
                + " in " + Json.string(object, "apiVersion") + "; apply its CustomResourceDefinition too");
    }

    /** Waits until a definition's kind is served as it says now, which takes the controller a moment. */
    private void awaitEstablished() {
        settle.run();
        String group = Json.string(object, "spec", "group");
        for (JsonNode version : object.path("spec").path("versions")) {
            if (version.path("served").booleanValue(false)) {
                String path = "/apis/" + group + "/" + Json.string(version, "name") + "/"
                        + Json.string(object, "spec", "names", "plural") + "?limit=1";
                awaitServed(path);
            }
        }
    }

    /** Counts the controllers' tasks instead of time, because the clock of the cluster may stand still. */
    private void awaitServed(String path) {
        for (int round = 0; get(path).status() != 200; round++) {
            if (round == ROUNDS) {
                throw new IllegalArgumentException(describe() + " was not established; see its status.conditions");
            }
            settle.run();
        }
    }

    private static JsonNode body(ApiResponse response) {
        return response.body() instanceof ApiResponse.Whole whole ? Json.parse(whole.bytes()) : Json.object();
    }

    private static String message(ApiResponse response) {
        return response.contentType().startsWith("application/json")
                ? Json.string(body(response), "message")
                : "status " + response.status();
    }
}
