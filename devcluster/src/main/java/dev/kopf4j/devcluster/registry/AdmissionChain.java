package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Brings writes before those who may change or refuse them. Thread-safe. */
public final class AdmissionChain {
    private final AdmissionWebhooks admissionWebhooks;
    private final ServerContext state;
    private final PrivilegeEscalationCheck privilegeEscalationCheck;

    public AdmissionChain(
            ServerContext state,
            AdmissionWebhooks admissionWebhooks,
            PrivilegeEscalationCheck privilegeEscalationCheck) {
        this.privilegeEscalationCheck = privilegeEscalationCheck;
        this.admissionWebhooks = admissionWebhooks;
        this.state = state;
    }

    /** A new object as mutating hooks want it; defaults are filled in before they see it. */
    ObjectNode mutateNew(ResourceRequest resourceRequest, ObjectNode next) {
        String name = Json.string(next, "metadata", "name");
        AdmissionAttributes admissionAttributes = operation(resourceRequest, "CREATE", name, null, "CreateOptions");
        if (!admissionWebhooks.mutates(admissionAttributes)) {
            return next;
        }
        Resource resource = resourceRequest.resource();
        state.strategy(resource).prepare(new ObjectDraft(resource, next, null, resourceRequest.subresource()));
        return cleaned(resourceRequest, next, admissionWebhooks.mutate(admissionAttributes, next));
    }

    /** A changed object as mutating hooks want it. */
    ObjectNode mutate(ResourceRequest resourceRequest, ObjectNode before, ObjectNode next) {
        if (resourceRequest.subresource().equals("scale")) {
            return mutateScale(resourceRequest, before, next);
        }
        AdmissionAttributes admissionAttributes =
                operation(resourceRequest, "UPDATE", resourceRequest.name(), before, "UpdateOptions");
        return cleaned(resourceRequest, next, admissionWebhooks.mutate(admissionAttributes, next));
    }

    /** Hooks on scales see the number of replicas only. */
    private ObjectNode mutateScale(ResourceRequest resourceRequest, ObjectNode before, ObjectNode next) {
        ScaleConversion view = new ScaleConversion(resourceRequest.resource());
        AdmissionAttributes admissionAttributes =
                operation(resourceRequest, "UPDATE", resourceRequest.name(), view.of(before), "UpdateOptions");
        ObjectNode mutated = admissionWebhooks.mutate(admissionAttributes, view.of(next));
        if (mutated != null) {
            view.set(next, mutated.path("spec").path("replicas").longValue(0));
        }
        return next;
    }

    private static ObjectNode cleaned(ResourceRequest resourceRequest, ObjectNode given, @Nullable ObjectNode mutated) {
        if (mutated == null || JsonEquality.same(given, mutated)) {
            return given;
        }
        RequestDecoder.clean(resourceRequest.resource(), mutated);
        return mutated;
    }

    /** Lets validating hooks refuse a new object. */
    void validateNew(ResourceRequest resourceRequest, ObjectNode next) {
        privilegeEscalationCheck.check(
                resourceRequest.userInfo(),
                resourceRequest.resource().group(),
                resourceRequest.resource().plural(),
                next);
        String name = Json.string(next, "metadata", "name");
        admissionWebhooks.validate(operation(resourceRequest, "CREATE", name, null, "CreateOptions"), next);
    }

    /** Lets hooks see, and refuse, an act on an object; what they change of it is as if it had been sent. */
    public ObjectNode admitSubresource(ResourceRequest resourceRequest, ObjectNode act) {
        AdmissionAttributes admissionAttributes =
                operation(resourceRequest, "CREATE", resourceRequest.name(), null, "CreateOptions");
        ObjectNode mutated = admissionWebhooks.mutate(admissionAttributes, act);
        admissionWebhooks.validate(admissionAttributes, mutated);
        return mutated == null ? act : mutated;
    }

    /** Lets validating hooks refuse a change. */
    void validate(ResourceRequest resourceRequest, ObjectNode before, ObjectNode next) {
        if (resourceRequest.subresource().equals("scale")) {
            ScaleConversion view = new ScaleConversion(resourceRequest.resource());
            admissionWebhooks.validate(
                    operation(resourceRequest, "UPDATE", resourceRequest.name(), view.of(before), "UpdateOptions"),
                    view.of(next));
            return;
        }
        privilegeEscalationCheck.check(
                resourceRequest.userInfo(),
                resourceRequest.resource().group(),
                resourceRequest.resource().plural(),
                next);
        admissionWebhooks.validate(
                operation(resourceRequest, "UPDATE", resourceRequest.name(), before, "UpdateOptions"), next);
    }

    /** Lets hooks refuse a deletion; a deletion of many names no object. */
    public void admitDeletion(ResourceRequest resourceRequest, ObjectNode before, boolean ofMany) {
        ObjectNode options = DeleteOptions.shown(resourceRequest.request());
        AdmissionAttributes admissionAttributes = new AdmissionAttributes(
                "DELETE",
                resourceRequest.resource(),
                resourceRequest.subresource(),
                resourceRequest.namespace(),
                ofMany ? "" : resourceRequest.name(),
                before,
                options,
                options.has("dryRun"),
                resourceRequest.userInfo(),
                resourceRequest.warnings());
        admissionWebhooks.mutate(admissionAttributes, null);
        admissionWebhooks.validate(admissionAttributes, null);
    }

    private static AdmissionAttributes operation(
            ResourceRequest resourceRequest,
            String verb,
            String name,
            @Nullable ObjectNode before,
            String optionsKind) {
        ObjectNode options = Json.object().put("kind", optionsKind).put("apiVersion", "meta.k8s.io/v1");
        if (resourceRequest.dryRun()) {
            options.set("dryRun", Json.array(List.of("All")));
        }
        for (Map.Entry<String, List<String>> parameter :
                resourceRequest.request().query().entrySet()) {
            if (parameter.getKey().equals("fieldManager") || parameter.getKey().equals("fieldValidation")) {
                options.put(parameter.getKey(), parameter.getValue().getFirst());
            }
        }
        return new AdmissionAttributes(
                verb,
                resourceRequest.resource(),
                resourceRequest.subresource(),
                resourceRequest.namespace(),
                name,
                before,
                options,
                resourceRequest.dryRun(),
                resourceRequest.userInfo(),
                resourceRequest.warnings());
    }
}
