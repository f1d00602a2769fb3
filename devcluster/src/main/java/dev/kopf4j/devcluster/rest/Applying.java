package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.apply.Ownership;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.Yaml;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Server-side apply. Thread-safe. */
final class Applying {
    private final ServerState state;
    private final Creating creating;
    private final Updating updating;

    Applying(ServerState state, Creating creating, Updating updating) {
        this.state = state;
        this.creating = creating;
        this.updating = updating;
    }

    Answer apply(Call call) {
        WriteOptions.check(call.request(), "PatchOptions");
        Resource resource = call.resource();
        ObjectNode configuration = configuration(call, resource.kind(), resource.apiVersion());
        boolean force = call.request().parameter("force").equals("true");
        StoredObject current = state.bucket(call.resource()).get(call.namespace(), call.name());
        if (current == null && call.subresource().isEmpty()) {
            return create(call, configuration, force);
        }
        return onto(call, configuration, force);
    }

    /** Applies through an endpoint with a kind of its own, whose configuration stands for one of the object. */
    Answer apply(Call call, String kind, String apiVersion, UnaryOperator<ObjectNode> translation) {
        WriteOptions.check(call.request(), "PatchOptions");
        ObjectNode configuration = translation.apply(configuration(call, kind, apiVersion));
        return onto(call, configuration, call.request().parameter("force").equals("true"));
    }

    private Answer onto(Call call, ObjectNode configuration, boolean force) {
        Ownership ownership = call.ownership(state.now());
        return updating.change(call, present -> onto(call, ownership, present, configuration, force), true);
    }

    private Answer create(Call call, ObjectNode configuration, boolean force) {
        String uid = Json.string(configuration, "metadata", "uid");
        if (!uid.isEmpty()) {
            throw ApiException.conflict(
                    call.subject(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        Json.child(configuration, "metadata").remove("resourceVersion");
        ObjectNode applied = call.ownership(state.now())
                .apply(Json.object(), configuration, force)
                .object();
        Decoder.clean(call.resource(), applied, false);
        return creating.create(call, applied, true);
    }

    private static ObjectNode onto(
            Call call, Ownership ownership, ObjectNode present, ObjectNode configuration, boolean force) {
        String uid = Json.string(configuration, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.string(present, "metadata", "uid"))) {
            throw ApiException.conflict(
                    call.subject(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + Json.string(present, "metadata", "uid"));
        }
        ObjectNode next = ownership.apply(present, configuration, force).object();
        Decoder.clean(call.resource(), next, false);
        return next;
    }

    private static ObjectNode configuration(Call call, String wantedKind, String wantedVersion) {
        if (!(parse(call) instanceof ObjectNode configuration)) {
            throw ApiException.badRequest("error decoding YAML: the body is no object");
        }
        FieldValidation.of(call.request()).report(Duplicates.in(call.request()), call.warnings(), found -> {
            throw ApiException.badRequest("error strict decoding YAML: " + found);
        });
        String kind = Json.string(configuration, "kind");
        String apiVersion = Json.string(configuration, "apiVersion");
        if (!kind.equals(wantedKind) || !apiVersion.equals(wantedVersion)) {
            throw ApiException.badRequest("invalid object type: " + apiVersion + "/, Kind=" + kind);
        }
        ObjectNode metadata = Json.child(configuration, "metadata");
        if (!metadata.path("managedFields").isEmpty()) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        Updating.checkNames(call, configuration);
        metadata.remove(List.of("creationTimestamp", "managedFields"));
        return configuration;
    }

    private static JsonNode parse(Call call) {
        try {
            List<JsonNode> documents = Yaml.documents(new String(call.request().body(), StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.object() : documents.getFirst();
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
    }
}
