package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.admission.AdmissionPolicies;
import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Admits writes: webhooks may change or refuse them, policies and the check of privilege escalation may refuse them.
 * Thread-safe.
 */
public final class AdmissionChain {
    private final ServerContext state;
    private final AdmissionWebhooks webhooks;
    private final AdmissionPolicies policies;
    private final BuiltinPlugins plugins;
    private final PrivilegeEscalationCheck escalationCheck;

    /**
     * Creates the chain.
     *
     * @param claimsGrowAnyhow whether claims may grow although they are not bound, or their class does not let them
     */
    public AdmissionChain(
            ServerContext state,
            AdmissionWebhooks webhooks,
            AccessControl accessControl,
            PrivilegeEscalationCheck escalationCheck,
            boolean claimsGrowAnyhow) {
        this.state = state;
        this.webhooks = webhooks;
        this.policies = new AdmissionPolicies(state.objectStore(), state.servedResources(), accessControl);
        this.plugins = new BuiltinPlugins(state.objectStore(), claimsGrowAnyhow);
        this.escalationCheck = escalationCheck;
    }

    /** Lets mutating webhooks change a new object, which gets its defaults before. */
    public ObjectNode mutateNew(ResourceRequest request, ObjectNode next) {
        AdmissionAttributes creation = AdmissionOperations.creation(request, Json.string(next, "metadata", "name"));
        if (!webhooks.mutates(creation)) {
            return next;
        }
        plugins.mutate(creation, next);
        Resource resource = request.resource();
        state.strategy(resource).prepare(new ObjectDraft(resource, next, null, request.subresource()));
        return cleaned(request, next, webhooks.mutate(creation, next));
    }

    /** Lets built-in plugins complete a new object, by what stands in other objects. */
    public void complete(ResourceRequest request, ObjectNode next) {
        plugins.mutate(AdmissionOperations.creation(request, Json.string(next, "metadata", "name")), next);
    }

    /** Lets mutating webhooks change an updated object; those for scales see and change the number of replicas only. */
    public ObjectNode mutate(ResourceRequest request, ObjectNode before, ObjectNode next) {
        if (!isScale(request)) {
            AdmissionAttributes update = AdmissionOperations.update(request, before);
            return cleaned(request, next, webhooks.mutate(update, next));
        }
        ScaleConversion scale = new ScaleConversion(request.resource());
        ObjectNode mutated = webhooks.mutate(AdmissionOperations.update(request, scale.of(before)), scale.of(next));
        if (mutated != null) {
            scale.set(next, mutated.path("spec").path("replicas").longValue(0));
        }
        return next;
    }

    private static boolean isScale(ResourceRequest request) {
        return request.subresource().equals("scale");
    }

    private static ObjectNode cleaned(ResourceRequest request, ObjectNode given, @Nullable ObjectNode mutated) {
        if (mutated == null || JsonEquality.same(given, mutated)) {
            return given;
        }
        RequestDecoder.clean(request.resource(), mutated);
        return mutated;
    }

    /** Lets validating webhooks refuse a new object. */
    public void validateNew(ResourceRequest request, ObjectNode next) {
        escalationCheck.check(request.userInfo(), request.resource(), null, next);
        AdmissionAttributes creation = AdmissionOperations.creation(request, Json.string(next, "metadata", "name"));
        plugins.validateNew(creation, next);
        approve(creation, next);
        plugins.charge(creation, null, next, request.dryRun());
    }

    /** Lets validating webhooks refuse a change. */
    public void validate(ResourceRequest request, ObjectNode before, ObjectNode next) {
        if (isScale(request)) {
            ScaleConversion scale = new ScaleConversion(request.resource());
            approve(AdmissionOperations.update(request, scale.of(before)), scale.of(next));
            return;
        }
        escalationCheck.check(request.userInfo(), request.resource(), before, next);
        AdmissionAttributes update = AdmissionOperations.update(request, before);
        plugins.validate(update, before, next);
        approve(update, next);
        plugins.charge(update, before, next, request.dryRun());
    }

    /** Lets webhooks change and refuse an object that is sent to a subresource, such as an Eviction. */
    public ObjectNode admitSubresource(ResourceRequest request, ObjectNode sent) {
        AdmissionAttributes creation = AdmissionOperations.creation(request, request.name());
        ObjectNode mutated = webhooks.mutate(creation, sent);
        approve(creation, mutated);
        return mutated == null ? sent : mutated;
    }

    /** Lets webhooks refuse a connection, whose options they see. */
    public void admitConnection(ResourceRequest request, ObjectNode connectOptions) {
        AdmissionAttributes connection = AdmissionOperations.connection(request);
        approve(connection, webhooks.mutate(connection, connectOptions));
    }

    /** Lets webhooks refuse a deletion; that of a collection names no object. */
    public void admitDeletion(ResourceRequest request, ObjectNode before, boolean ofCollection) {
        AdmissionAttributes deletion = AdmissionOperations.deletion(request, before, ofCollection);
        webhooks.mutate(deletion, null);
        approve(deletion, null);
    }

    /** Policies come before webhooks. */
    private void approve(AdmissionAttributes operation, @Nullable ObjectNode object) {
        policies.validate(operation, object);
        webhooks.validate(operation, object);
    }
}
