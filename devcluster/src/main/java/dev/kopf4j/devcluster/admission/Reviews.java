package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Writes what a webhook is sent. Pure. */
final class Reviews {
    private Reviews() {}

    /** The review of an operation, with the object in the version that the hook wants. */
    static ObjectNode review(Operation operation, Resource wanted, @Nullable ObjectNode object, String uid) {
        ObjectNode review = Json.object();
        review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        ObjectNode request = review.putObject("request");
        Resource asked = operation.resource();
        request.put("uid", uid);
        request.set("kind", kind(wanted));
        request.set("resource", resource(wanted));
        if (!operation.subresource().isEmpty()) {
            request.put("subResource", operation.subresource());
        }
        request.set("requestKind", kind(asked));
        request.set("requestResource", resource(asked));
        if (!operation.subresource().isEmpty()) {
            request.put("requestSubResource", operation.subresource());
        }
        if (!operation.name().isEmpty()) {
            request.put("name", operation.name());
        }
        if (!operation.namespace().isEmpty()) {
            request.put("namespace", operation.namespace());
        }
        request.put("operation", operation.verb());
        request.set("userInfo", operation.user().info());
        put(request, "object", object, wanted);
        put(request, "oldObject", operation.before(), wanted);
        request.put("dryRun", operation.dryRun());
        request.set("options", operation.options());
        return review;
    }

    private static ObjectNode kind(Resource resource) {
        return Json.object()
                .put("group", resource.group())
                .put("version", resource.version())
                .put("kind", resource.kind());
    }

    private static ObjectNode resource(Resource resource) {
        return Json.object()
                .put("group", resource.group())
                .put("version", resource.version())
                .put("resource", resource.plural());
    }

    private static void put(ObjectNode request, String name, @Nullable ObjectNode object, Resource wanted) {
        if (object == null) {
            request.putNull(name);
        } else {
            ObjectNode shown = object.deepCopy();
            shown.put("apiVersion", wanted.apiVersion());
            request.set(name, shown);
        }
    }
}
