package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.status.ApiException;
import tools.jackson.databind.node.ObjectNode;

/** Reads objects that clients send to subresources that do something, such as an Eviction. Pure. */
final class SubresourceBody {
    private SubresourceBody() {}

    /** The object of a request, which must name the object of the URL. */
    static ObjectNode read(ResourceRequest request, String kind, String apiVersion) {
        WriteOptionsValidation.check(request.request(), "CreateOptions");
        if (!(RequestBody.document(request) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + kind + ")");
        }
        String given = Json.string(sent, "kind");
        if (!given.isEmpty() && !given.equals(kind)) {
            throw ApiException.badRequest(given + " in version \"v1\" cannot be handled as a " + kind);
        }
        String[] parts = apiVersion.split("/", 2);
        RequestDecoder.check(parts.length > 1 ? parts[0] : "", parts[parts.length - 1], kind, sent);
        if (!Json.string(sent, "metadata", "name").equals(request.name())) {
            throw ApiException.badRequest("name in URL does not match name in " + kind + " object");
        }
        RequestNameValidation.checkNamespace(request, ObjectMetaTypes.metadata(sent));
        Json.child(sent, "metadata").put("namespace", request.namespace());
        sent.put("kind", kind).put("apiVersion", apiVersion);
        return sent;
    }

    /** The response on success. */
    static VerbResult success() {
        return new VerbResult(201, ApiException.statusOf("Success").put("code", 201));
    }
}
