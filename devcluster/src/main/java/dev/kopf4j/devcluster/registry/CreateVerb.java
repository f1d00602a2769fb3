package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.meta.ObjectMetaValidation;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The verb create. Thread-safe. */
public final class CreateVerb {
    private static final int MAX_GENERATED_BASE = 58;
    private final ServerContext state;
    private final NamespaceLifecycle namespaceLifecycle;
    private final AdmissionChain admissionChain;

    public CreateVerb(ServerContext state, AdmissionChain admissionChain) {
        this.admissionChain = admissionChain;
        this.state = state;
        this.namespaceLifecycle = new NamespaceLifecycle(state);
    }

    public VerbResult create(ResourceRequest resourceRequest) {
        WriteOptionsValidation.check(resourceRequest.request(), "CreateOptions");
        return create(resourceRequest, RequestDecoder.decode(resourceRequest), false);
    }

    /** Creates an object that is already decoded; an applied one brings its own record of owners. */
    VerbResult create(ResourceRequest resourceRequest, ObjectNode next, boolean applied) {
        Resource resource = resourceRequest.resource();
        ObjectNode metadata = ObjectMetaTypes.metadata(next);
        checkNamespace(resourceRequest, metadata);
        checkDefinitionNotTerminating(resourceRequest, Json.string(metadata, "name"));
        namespaceLifecycle.checkNotTerminating(resourceRequest, Json.string(metadata, "name"));
        if (!Json.string(metadata, "resourceVersion").isEmpty()) {
            throw ApiException.plain500("resourceVersion should not be set on objects to be created");
        }
        if (resource.namespaced()) {
            metadata.put("namespace", resourceRequest.namespace());
        }
        ObjectNode mutated = admissionChain.mutateNew(resourceRequest, next);
        return finish(resourceRequest, mutated, applied);
    }

    private VerbResult finish(ResourceRequest resourceRequest, ObjectNode next, boolean applied) {
        Resource resource = resourceRequest.resource();
        begin(resourceRequest, ObjectMetaTypes.metadata(next));
        ObjectNode sent = resource.resourceTraits().serverAssignedFields().isEmpty() ? next : next.deepCopy();
        if (resource.hasStatus()) {
            next.remove("status");
        }
        if (resource.resourceTraits().recordsRequester()) {
            ObjectNode spec = Json.child(next, "spec");
            spec.remove(List.of("username", "uid", "groups", "extra"));
            spec.setAll(resourceRequest.userInfo().info());
        }
        ObjectDraft objectDraft = new ObjectDraft(resource, next, null, "");
        ResourceStrategy rules = state.strategy(resource);
        rules.prepare(objectDraft);
        if (!applied) {
            resourceRequest.fieldManager(state.now()).recordCreation(sent, next);
        }
        check(resourceRequest, objectDraft, rules);
        admissionChain.validateNew(resourceRequest, next);
        return store(resourceRequest, next);
    }

    /** The verbs of a custom resource are fewer while its definition is ending. */
    private static void checkDefinitionNotTerminating(ResourceRequest resourceRequest, String name) {
        Resource resource = resourceRequest.resource();
        if (resource.isCustom() && !resource.verbs().contains("create")) {
            throw ApiException.forbidden(
                    resourceRequest.subject(name),
                    "create not allowed while custom resource definition is terminating",
                    List.of(),
                    "");
        }
    }

    public static void checkNamespace(ResourceRequest resourceRequest, ObjectNode metadata) {
        String given = Json.string(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(resourceRequest.namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private void begin(ResourceRequest resourceRequest, ObjectNode metadata) {
        String base = Json.string(metadata, "generateName");
        if (Json.string(metadata, "name").isEmpty() && !base.isEmpty()) {
            String kept = base.substring(0, Math.min(base.length(), MAX_GENERATED_BASE));
            metadata.put("name", kept + state.nameSuffix());
        }
        if (resourceRequest.resource().namespaced()) {
            metadata.put("namespace", resourceRequest.namespace());
        }
        metadata.put("uid", state.uid()).put("creationTimestamp", state.now());
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"));
        if (resourceRequest.resource().resourceTraits().generation()) {
            metadata.put("generation", 1);
        }
    }

    private static void check(ResourceRequest resourceRequest, ObjectDraft objectDraft, ResourceStrategy rules) {
        List<FieldError> causes =
                new java.util.ArrayList<>(ObjectMetaValidation.ofNew(resourceRequest.resource(), objectDraft.next()));
        FieldChecks checks = new FieldChecks();
        rules.validate(objectDraft, checks);
        causes.addAll(checks.errors());
        if (!causes.isEmpty()) {
            String name = Json.string(objectDraft.next(), "metadata", "name");
            throw ApiException.invalid(resourceRequest.resource().kindSubject(name), causes);
        }
        resourceRequest.warnings().addAll(ObjectMetaValidation.finalizerWarnings(objectDraft.next(), Json.missing()));
        resourceRequest.warnings().addAll(rules.warnings(objectDraft));
    }

    private VerbResult store(ResourceRequest resourceRequest, ObjectNode next) {
        ResourceBucket resourceBucket = state.bucket(resourceRequest.resource());
        String name = Json.string(next, "metadata", "name");
        StoredObject taken = resourceBucket.get(Json.string(next, "metadata", "namespace"), name);
        StoredObject stored = taken != null || resourceRequest.dryRun()
                ? null
                : state.objectStore().create(resourceBucket, StorageConversion.store(resourceRequest.resource(), next));
        if (taken != null || (stored == null && !resourceRequest.dryRun())) {
            boolean deleting = taken != null && taken.tree().path("metadata").has("deletionTimestamp");
            throw ApiException.alreadyExists(resourceRequest.subject(name), deleting);
        }
        if (stored == null) {
            return new VerbResult(201, next);
        }
        Json.child(next, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return new VerbResult(201, next);
    }
}
