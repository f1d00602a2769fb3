package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.function.UnaryOperator;
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
        ObjectNode configuration = ApplyBody.read(request, resource.kind(), resource.apiVersion());
        StoredObject current = state.bucket(resource).get(request.namespace(), request.name());
        return current == null && request.subresource().isEmpty()
                ? create(request, configuration)
                : change(request, configuration);
    }

    /** Applies through an endpoint with a kind of its own, whose configuration is converted to one of the object. */
    public VerbResult apply(
            ResourceRequest request, String kind, String apiVersion, UnaryOperator<ObjectNode> translation) {
        return change(request, translation.apply(ApplyBody.read(request, kind, apiVersion)));
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
        boolean force = request.request().parameter("force").equals("true");
        ObjectNode next = fieldManager.apply(present, configuration, force).object();
        RequestDecoder.clean(request.resource(), next, false);
        return next;
    }
}
