package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.admission.AdmissionPolicies;
import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AuthorizationAttributes;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.DeleteOptionsBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Admits writes: webhooks may change or refuse them, policies and the check of privilege escalation may refuse them.
 * Thread-safe.
 */
public final class AdmissionChain {
    private static final List<String> PARAMETERS = List.of("fieldManager", "fieldValidation");

    private final ServerContext state;
    private final AccessControl accessControl;
    private final AdmissionWebhooks webhooks;
    private final AdmissionPolicies policies;
    private final BuiltinPlugins plugins;
    private final PrivilegeEscalationCheck escalationCheck;
    private final SignerRights signerRights;

    /**
     * Creates the chain.
     *
     * @param claimsGrowAnyhow whether claims may grow although they are not bound, or their class does not let them
     * @param tokenVolumes whether pods get the volume with the token of their service account
     */
    public AdmissionChain(
            ServerContext state,
            AdmissionWebhooks webhooks,
            AccessControl accessControl,
            PrivilegeEscalationCheck escalationCheck,
            boolean claimsGrowAnyhow,
            boolean tokenVolumes) {
        this.state = state;
        this.accessControl = accessControl;
        this.webhooks = webhooks;
        this.policies = new AdmissionPolicies(state.objectStore(), state.servedResources(), accessControl);
        this.plugins = new BuiltinPlugins(
                state.objectStore(),
                claimsGrowAnyhow,
                tokenVolumes ? Optional.of(state.nameGenerator()::name) : Optional.empty());
        this.escalationCheck = escalationCheck;
        this.signerRights = new SignerRights(accessControl);
    }

    /** Whether a mutating webhook may want to see a new object. */
    public boolean mutatesNew(ResourceRequest request, ObjectNode next) {
        return webhooks.mutates(creation(request, Json.string(next, "metadata", "name")));
    }

    /** Gives a new object its defaults, for mutating webhooks to see. */
    public void prepareNew(ResourceRequest request, ObjectNode next) {
        prepare(request, null, next);
    }

    /** Lets mutating webhooks change a new object; empty if they do not. */
    public Optional<ObjectNode> mutateNew(ResourceRequest request, ObjectNode next) {
        AdmissionAttributes creation = creation(request, Json.string(next, "metadata", "name"));
        return cleaned(request, next, webhooks.mutate(creation, next));
    }

    private void prepare(ResourceRequest request, @Nullable ObjectNode before, ObjectNode next) {
        Resource resource = request.resource();
        state.strategy(resource).prepare(new ObjectDraft(resource, next, before, request.subresource()));
    }

    /** Lets built-in plugins complete a new object, by what stands in other objects. */
    public void complete(ResourceRequest request, ObjectNode next) {
        plugins.mutate(creation(request, Json.string(next, "metadata", "name")), next);
    }

    /** Whether a mutating webhook may want to see an updated object. */
    public boolean mutates(ResourceRequest request, ObjectNode before) {
        return webhooks.mutates(update(request, before));
    }

    /**
     * Lets mutating webhooks change an updated object, which gets its defaults before; those for scales see and change
     * the number of replicas only.
     */
    public ObjectNode mutate(ResourceRequest request, ObjectNode before, ObjectNode next) {
        if (!isScale(request)) {
            prepare(request, before, next);
            return cleaned(request, next, webhooks.mutate(update(request, before), next))
                    .orElse(next);
        }
        ScaleConversion scale = new ScaleConversion(request.resource());
        ObjectNode mutated = webhooks.mutate(update(request, scale.of(before)), scale.of(next));
        if (mutated != null) {
            scale.set(next, mutated.path("spec").path("replicas").longValue(0));
        }
        return next;
    }

    private static boolean isScale(ResourceRequest request) {
        return request.subresource().equals("scale");
    }

    private static Optional<ObjectNode> cleaned(
            ResourceRequest request, ObjectNode given, @Nullable ObjectNode mutated) {
        if (mutated == null || JsonEquality.same(given, mutated)) {
            return Optional.empty();
        }
        FieldManager.restoreUnreadable(given, mutated).ifPresent(request.warnings()::add);
        RequestDecoder.clean(request.resource(), mutated);
        return Optional.of(mutated);
    }

    /** Lets validating webhooks refuse a new object. */
    public void validateNew(ResourceRequest request, ObjectNode next) {
        escalationCheck.check(request.userInfo(), request.resource(), null, next);
        signerRights.check(request, null, next);
        if (!request.request().method().equals("POST")) { // the right to update or patch does not suffice
            accessControl.checkCreation(request.userInfo(), AuthorizationAttributes.of(request.request()));
        }
        AdmissionAttributes creation = creation(request, Json.string(next, "metadata", "name"));
        plugins.validateNew(creation, next);
        approve(creation, next);
    }

    /**
     * Lets quotas refuse a new object, or count it.
     *
     * @param stored whether it is being stored: otherwise it does not count
     */
    public void charge(ResourceRequest request, ObjectNode next, boolean stored) {
        if (!plugins.haveQuotas()) {
            return;
        }
        AdmissionAttributes creation = creation(request, Json.string(next, "metadata", "name"));
        plugins.charge(creation, null, next, !stored);
    }

    /** Lets validating webhooks refuse a change. */
    public void validate(ResourceRequest request, ObjectNode before, ObjectNode next) {
        if (isScale(request)) {
            ScaleConversion scale = new ScaleConversion(request.resource());
            approve(update(request, scale.of(before)), scale.of(next));
            return;
        }
        escalationCheck.check(request.userInfo(), request.resource(), before, next);
        signerRights.check(request, before, next);
        AdmissionAttributes update = update(request, before);
        plugins.validate(update, before, next);
        approve(update, next);
        plugins.charge(update, before, next, request.dryRun());
    }

    /** Lets webhooks change and refuse an object that is sent to a subresource, such as an Eviction. */
    public ObjectNode admitSubresource(ResourceRequest request, ObjectNode sent) {
        AdmissionAttributes creation = creation(request, request.name());
        ObjectNode mutated = webhooks.mutate(creation, sent);
        approve(creation, mutated);
        return mutated == null ? sent : mutated;
    }

    /** Lets webhooks refuse a connection, whose options they see. */
    public void admitConnection(ResourceRequest request, ObjectNode connectOptions) {
        AdmissionAttributes connection = connection(request);
        approve(connection, webhooks.mutate(connection, connectOptions));
    }

    /** Lets webhooks refuse a deletion; that of a collection names no object. */
    public void admitDeletion(ResourceRequest request, ObjectNode before, boolean ofCollection) {
        AdmissionAttributes deletion = deletion(request, before, ofCollection);
        webhooks.mutate(deletion, null);
        approve(deletion, null);
    }

    /** Whether a webhook may want to see a creation. */
    public boolean asksAboutCreation(ResourceRequest request) {
        return webhooks.asksAbout(creation(request, ""));
    }

    /** Whether a webhook may want to see a deletion. */
    public boolean asksAboutDeletion(ResourceRequest request) {
        return webhooks.asksAbout(deletion(request, Json.object(), false));
    }

    /** Policies come before webhooks. */
    private void approve(AdmissionAttributes operation, @Nullable ObjectNode object) {
        policies.validate(operation, object);
        webhooks.validate(operation, object);
    }

    private static AdmissionAttributes creation(ResourceRequest request, String name) {
        return attributes("CREATE", request, name, null, options(request, "CreateOptions"));
    }

    private static AdmissionAttributes update(ResourceRequest request, ObjectNode before) {
        return attributes("UPDATE", request, request.name(), before, options(request, "UpdateOptions"));
    }

    private static AdmissionAttributes deletion(ResourceRequest request, ObjectNode before, boolean ofCollection) {
        String name = ofCollection ? "" : request.name();
        return attributes("DELETE", request, name, before, DeleteOptionsBody.shown(request.request()));
    }

    /** Connections have options of their own, which are the object. */
    private static AdmissionAttributes connection(ResourceRequest request) {
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
                new AdmissionAttributes.Target(
                        request.resource(), request.subresource(), namespace(request, name), name),
                before,
                options,
                request.userInfo(),
                request.warnings());
    }

    private static ObjectNode options(ResourceRequest request, String kind) {
        ObjectNode options = Json.object().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        if (request.dryRun()) {
            options.set("dryRun", Json.array(List.of("All")));
        }
        PARAMETERS.forEach(name -> {
            List<String> values = request.request().query().get(name);
            if (values != null) {
                options.put(name, values.getFirst());
            }
        });
        return options;
    }
}
