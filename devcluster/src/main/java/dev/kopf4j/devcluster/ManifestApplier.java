package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import java.util.Optional;
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
        return discovered(base(), "kind", kind)
                .orElseThrow(() -> new UnknownKindException(
                        "cannot apply " + describe() + ": the cluster does not know kind " + kind + " in "
                                + Json.string(object, "apiVersion") + "; apply its CustomResourceDefinition too"));
    }

    /** The resource of a version with this value, as the server tells of it. */
    private Optional<JsonNode> discovered(String version, String field, String value) {
        ApiResponse response = get(version);
        return response.status() != 200
                ? Optional.empty()
                : body(response)
                        .path("resources")
                        .valueStream()
                        .filter(resource -> Json.string(resource, field).equals(value)
                                && !Json.string(resource, "name").contains("/"))
                        .findFirst();
    }

    /** Waits until a definition's kind is served as it says now, which takes the controller a moment. */
    private void awaitEstablished() {
        settle.run();
        String group = Json.string(object, "spec", "group");
        for (JsonNode version : object.path("spec").path("versions")) {
            if (version.path("served").booleanValue(false)) {
                awaitServed("/apis/" + group + "/" + Json.string(version, "name"));
            }
        }
    }

    /**
     * Counts the controllers' tasks instead of time, because the clock of the cluster may stand still. Asks for no
     * objects: who converts them may not run yet.
     */
    private void awaitServed(String version) {
        String plural = Json.string(object, "spec", "names", "plural");
        for (int round = 0; discovered(version, "name", plural).isEmpty(); round++) {
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
