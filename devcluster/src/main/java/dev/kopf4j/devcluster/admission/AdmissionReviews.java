package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Writes the reviews that the server sends to webhooks. Pure. */
final class AdmissionReviews {
    static final String GROUP = "admission.k8s.io";

    private AdmissionReviews() {}

    /**
     * The review of an operation, with the object in the version that the webhook wants.
     *
     * @param version of the review itself: v1, or v1beta1, which has the same fields
     */
    static ObjectNode review(VersionedOperation versioned, String uid, String version) {
        AdmissionAttributes operation = versioned.operation();
        Resource wanted = versioned.wanted();
        ObjectNode review = Json.object();
        review.put("kind", "AdmissionReview").put("apiVersion", GROUP + "/" + version);
        ObjectNode request = review.putObject("request");
        Resource asked = operation.resource();
        request.put("uid", uid);
        request.set("kind", kind(wanted, operation.subresource()));
        request.set("resource", resource(wanted));
        if (!operation.subresource().isEmpty()) {
            request.put("subResource", operation.subresource());
        }
        request.set("requestKind", kind(asked, operation.subresource()));
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
        request.set("userInfo", operation.userInfo().info());
        put(request, "object", versioned.object());
        put(request, "oldObject", versioned.before());
        request.put("dryRun", operation.dryRun());
        if (operation.verb().equals("CONNECT")) {
            request.putNull("options");
        } else {
            request.set("options", operation.options());
        }
        return review;
    }

    /** Subresources without a version of their own are of the version of their resource. */
    private static ObjectNode kind(Resource resource, String subresource) {
        Optional<Resource.Subresource> own = resource.subresource(subresource);
        Optional<Resource.Subresource> versioned =
                own.filter(each -> !each.version().isEmpty());
        return Json.object()
                .put("group", versioned.map(Resource.Subresource::group).orElse(resource.group()))
                .put("version", versioned.map(Resource.Subresource::version).orElse(resource.version()))
                .put("kind", own.map(Resource.Subresource::kind).orElse(resource.kind()));
    }

    private static ObjectNode resource(Resource resource) {
        return Json.object()
                .put("group", resource.group())
                .put("version", resource.version())
                .put("resource", resource.plural());
    }

    private static void put(ObjectNode request, String name, @Nullable ObjectNode object) {
        if (object == null) {
            request.putNull(name);
        } else {
            request.set(name, object.deepCopy());
        }
    }
}
