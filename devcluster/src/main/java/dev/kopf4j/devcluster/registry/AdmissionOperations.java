package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.DeleteOptionsBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes the admission attributes of writes. Pure. */
final class AdmissionOperations {
    private static final Set<String> PARAMETERS = Set.of("fieldManager", "fieldValidation");

    private AdmissionOperations() {}

    static AdmissionAttributes creation(ResourceRequest request, String name) {
        return attributes("CREATE", request, name, null, options(request, "CreateOptions"));
    }

    static AdmissionAttributes update(ResourceRequest request, ObjectNode before) {
        return attributes("UPDATE", request, request.name(), before, options(request, "UpdateOptions"));
    }

    static AdmissionAttributes deletion(ResourceRequest request, ObjectNode before, boolean ofCollection) {
        String name = ofCollection ? "" : request.name();
        return attributes("DELETE", request, name, before, DeleteOptionsBody.shown(request.request()));
    }

    /** Connections have options of their own, which are the object. */
    static AdmissionAttributes connection(ResourceRequest request) {
        return attributes("CONNECT", request, request.name(), null, Json.object());
    }

    /** The namespace of a namespace is itself. */
    private static String namespace(ResourceRequest request, String name) {
        return request.resource().isNamespace() && request.namespace().isEmpty() ? name : request.namespace();
    }

    private static AdmissionAttributes attributes(
            String verb, ResourceRequest request, String name, @Nullable ObjectNode before, ObjectNode options) {
        return new AdmissionAttributes(
                verb,
                request.resource(),
                request.subresource(),
                namespace(request, name),
                name,
                before,
                options,
                options.has("dryRun"),
                request.userInfo(),
                request.warnings());
    }

    private static ObjectNode options(ResourceRequest request, String kind) {
        ObjectNode options = Json.object().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        if (request.dryRun()) {
            options.set("dryRun", Json.array(List.of("All")));
        }
        request.request().query().forEach((name, values) -> {
            if (PARAMETERS.contains(name)) {
                options.put(name, values.getFirst());
            }
        });
        return options;
    }
}
