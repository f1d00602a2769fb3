package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.DuplicateFields;
import dev.kopf4j.devcluster.request.FieldValidation;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Server-side apply (KEP-555). Thread-safe. */
public final class ApplyVerb {
    static final String MEDIA_TYPE = "application/apply-patch+yaml";
    private final ServerContext state;
    private final CreateVerb createVerb;
    private final UpdateVerb updateVerb;

    /** Applies by these verbs. */
    public ApplyVerb(ServerContext state, CreateVerb createVerb, UpdateVerb updateVerb) {
        this.state = state;
        this.createVerb = createVerb;
        this.updateVerb = updateVerb;
    }

    /** Whether a patch is to be applied. */
    public static boolean isWanted(ResourceRequest request) {
        return RequestBody.mediaType(request.request()).equals(MEDIA_TYPE);
    }

    VerbResult apply(ResourceRequest request) {
        Resource resource = request.resource();
        ObjectNode configuration = readBody(request, resource.kind(), resource.apiVersion());
        return request.subresource().isEmpty()
                ? new CreateOrChange(state)
                        .write(
                                request,
                                () -> create(request, configuration.deepCopy()),
                                () -> change(request, configuration))
                : change(request, configuration);
    }

    /** Applies through an endpoint with a kind of its own, whose configuration is converted to one of the object. */
    public VerbResult apply(
            ResourceRequest request, String kind, String apiVersion, UnaryOperator<ObjectNode> translation) {
        return change(request, translation.apply(readBody(request, kind, apiVersion)));
    }

    private VerbResult change(ResourceRequest request, ObjectNode configuration) {
        FieldManager fieldManager = request.fieldManager(state.now());
        return updateVerb.change(request, present -> applied(request, fieldManager, present, configuration), true);
    }

    private VerbResult create(ResourceRequest request, ObjectNode configuration) {
        String uid = Json.string(configuration, "metadata", "uid");
        if (!uid.isEmpty()) {
            throw ApiException.conflict(
                    request.statusDetails(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        Json.child(configuration, "metadata").remove("resourceVersion");
        FieldManager fieldManager = request.fieldManager(state.now());
        return createVerb.create(request, applied(request, fieldManager, Json.object(), configuration), true);
    }

    private static ObjectNode applied(
            ResourceRequest request, FieldManager fieldManager, ObjectNode present, ObjectNode configuration) {
        WritePreconditions.checkUid(request, configuration, Json.string(present, "metadata", "uid"));
        boolean force = request.request().flag("force");
        ObjectNode next = fieldManager.apply(present, configuration, force).object();
        RequestDecoder.clean(request.resource(), next, false);
        return next;
    }

    /**
     * The configuration of a request, in YAML, of which JSON is a part; 400 if its kind or version is not the wanted
     * one.
     */
    private static ObjectNode readBody(ResourceRequest request, String wantedKind, String wantedVersion) {
        WriteOptionsValidation.check(request.request(), "PatchOptions");
        if (!(parse(request) instanceof ObjectNode configuration)) {
            throw ApiException.badRequest("error decoding YAML: the body is no object");
        }
        FieldValidation.of(request.request())
                .report(DuplicateFields.in(request.request()), request.warnings(), found -> {
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
        RequestNameValidation.check(request, configuration);
        metadata.remove(List.of("creationTimestamp", "managedFields"));
        return configuration;
    }

    private static JsonNode parse(ResourceRequest request) {
        try {
            List<JsonNode> documents =
                    YamlReader.documents(new String(request.request().body(), StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.object() : documents.getFirst();
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
    }
}
