package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.request.DuplicateFields;
import dev.kopf4j.devcluster.request.FieldValidation;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Server-side apply. Thread-safe. */
public final class ApplyVerb {
    private final ServerContext state;
    private final CreateVerb createVerb;
    private final UpdateVerb updateVerb;

    public ApplyVerb(ServerContext state, CreateVerb createVerb, UpdateVerb updateVerb) {
        this.state = state;
        this.createVerb = createVerb;
        this.updateVerb = updateVerb;
    }

    VerbResult apply(ResourceRequest resourceRequest) {
        WriteOptionsValidation.check(resourceRequest.request(), "PatchOptions");
        Resource resource = resourceRequest.resource();
        ObjectNode configuration = configuration(resourceRequest, resource.kind(), resource.apiVersion());
        boolean force = resourceRequest.request().parameter("force").equals("true");
        StoredObject current =
                state.bucket(resourceRequest.resource()).get(resourceRequest.namespace(), resourceRequest.name());
        if (current == null && resourceRequest.subresource().isEmpty()) {
            return create(resourceRequest, configuration, force);
        }
        return onto(resourceRequest, configuration, force);
    }

    /** Applies through an endpoint with a kind of its own, whose configuration stands for one of the object. */
    public VerbResult apply(
            ResourceRequest resourceRequest, String kind, String apiVersion, UnaryOperator<ObjectNode> translation) {
        WriteOptionsValidation.check(resourceRequest.request(), "PatchOptions");
        ObjectNode configuration = translation.apply(configuration(resourceRequest, kind, apiVersion));
        return onto(
                resourceRequest,
                configuration,
                resourceRequest.request().parameter("force").equals("true"));
    }

    private VerbResult onto(ResourceRequest resourceRequest, ObjectNode configuration, boolean force) {
        FieldManager fieldManager = resourceRequest.fieldManager(state.now());
        return updateVerb.change(
                resourceRequest, present -> onto(resourceRequest, fieldManager, present, configuration, force), true);
    }

    private VerbResult create(ResourceRequest resourceRequest, ObjectNode configuration, boolean force) {
        String uid = Json.string(configuration, "metadata", "uid");
        if (!uid.isEmpty()) {
            throw ApiException.conflict(
                    resourceRequest.statusDetails(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        Json.child(configuration, "metadata").remove("resourceVersion");
        ObjectNode applied = resourceRequest
                .fieldManager(state.now())
                .apply(Json.object(), configuration, force)
                .object();
        RequestDecoder.clean(resourceRequest.resource(), applied, false);
        return createVerb.create(resourceRequest, applied, true);
    }

    private static ObjectNode onto(
            ResourceRequest resourceRequest,
            FieldManager fieldManager,
            ObjectNode present,
            ObjectNode configuration,
            boolean force) {
        String uid = Json.string(configuration, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.string(present, "metadata", "uid"))) {
            throw ApiException.conflict(
                    resourceRequest.statusDetails(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + Json.string(present, "metadata", "uid"));
        }
        ObjectNode next = fieldManager.apply(present, configuration, force).object();
        RequestDecoder.clean(resourceRequest.resource(), next, false);
        return next;
    }

    private static ObjectNode configuration(ResourceRequest resourceRequest, String wantedKind, String wantedVersion) {
        if (!(parse(resourceRequest) instanceof ObjectNode configuration)) {
            throw ApiException.badRequest("error decoding YAML: the body is no object");
        }
        FieldValidation.of(resourceRequest.request())
                .report(DuplicateFields.in(resourceRequest.request()), resourceRequest.warnings(), found -> {
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
        UpdateVerb.checkNames(resourceRequest, configuration);
        metadata.remove(List.of("creationTimestamp", "managedFields"));
        return configuration;
    }

    private static JsonNode parse(ResourceRequest resourceRequest) {
        try {
            List<JsonNode> documents =
                    YamlReader.documents(new String(resourceRequest.request().body(), StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.object() : documents.getFirst();
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
    }
}
