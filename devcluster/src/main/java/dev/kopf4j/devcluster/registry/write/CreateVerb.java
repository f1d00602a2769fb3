package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.NamespaceLifecycle;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verb create: {@code pkg/endpoints/handlers/create.go} and {@code pkg/registry/rest/create.go} of the apiserver
 * library, v1.33. Thread-safe.
 */
public final class CreateVerb {
    private static final List<String> NOT_OF_CLIENTS =
            List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink");

    private final ServerContext state;
    private final NamespaceLifecycle namespaceLifecycle;
    private final AdmissionChain admissionChain;

    /** Creates objects in the store of a server. */
    public CreateVerb(ServerContext state, AdmissionChain admissionChain) {
        this.state = state;
        this.namespaceLifecycle = new NamespaceLifecycle(state);
        this.admissionChain = admissionChain;
    }

    /** Creates the object that a client sent. */
    public VerbResult create(ResourceRequest request) {
        WriteOptionsValidation.check(request.request(), "CreateOptions");
        return create(request, RequestDecoder.decode(request), false);
    }

    /**
     * Creates an object that the server itself has made, with kind and version; the object is changed.
     *
     * @param request a request without a body
     */
    public VerbResult create(ResourceRequest request, ObjectNode object) {
        RequestDecoder.clean(request.resource(), object);
        return create(request, object, false);
    }

    /**
     * Creates a decoded object.
     *
     * @param applied whether its managed fields are recorded already
     */
    VerbResult create(ResourceRequest request, ObjectNode next, boolean applied) {
        Resource resource = request.resource();
        ObjectNode metadata = ObjectMetaTypes.metadata(next);
        RequestNameValidation.checkNamespace(request, metadata);
        checkDefinitionNotTerminating(request);
        namespaceLifecycle.checkNotTerminating(request, Json.string(metadata, "name"));
        if (resource.namespaced()) {
            metadata.put("namespace", request.namespace());
        }
        if (!applied) {
            OwnerDeduplication.beforeAdmission(request, next);
        }
        boolean asks = admissionChain.mutatesNew(request, next);
        ObjectNode mutated = asks ? mutate(request, next, applied) : next;
        OwnerDeduplication.afterAdmission(request, mutated);
        return complete(request, mutated, applied || asks);
    }

    /**
     * What mutating webhooks change belongs to nobody, and they see who owns the rest. If they change nothing, the
     * defaults that they saw are forgotten, so that it is as if they had not been asked.
     */
    private ObjectNode mutate(ResourceRequest request, ObjectNode next, boolean applied) {
        FieldManager fieldManager = request.fieldManager(state.now());
        ObjectNode sent = fieldManager.sentWhereServerAssigns(next);
        admissionChain.complete(request, next);
        ObjectNode shown = next.deepCopy();
        admissionChain.prepareNew(request, shown);
        if (!applied) {
            fieldManager.recordCreation(sent, shown);
        }
        FieldManager.copy(shown, next);
        return admissionChain.mutateNew(request, shown).orElse(next);
    }

    /**
     * A custom resource has fewer verbs while its definition is being deleted: {@code serveResource} in
     * {@code pkg/apiserver/customresource_handler.go} of the apiextensions-apiserver.
     */
    private static void checkDefinitionNotTerminating(ResourceRequest request) {
        Resource resource = request.resource();
        if (resource.isCustom() && !resource.verbs().contains("create")) {
            throw ApiException.verbNotAllowed(
                    "create not allowed while custom resource definition is terminating",
                    request.resource().subject(""));
        }
    }

    private VerbResult complete(ResourceRequest request, ObjectNode next, boolean recorded) {
        Resource resource = request.resource();
        String now = state.now();
        FieldManager fieldManager = request.fieldManager(now);
        setMetadata(request, ObjectMetaTypes.metadata(next), now);
        ObjectNode sent = fieldManager.sentWhereServerAssigns(next);
        if (resource.hasStatus()) {
            next.remove("status");
        }
        if (resource.resourceTraits().recordsRequester()) {
            ObjectNode spec = Json.child(next, "spec");
            spec.remove(List.of("username", "uid", "groups", "extra"));
            spec.setAll(request.userInfo().info());
        }
        ObjectDraft draft = new ObjectDraft(resource, next, null, "");
        ResourceStrategy strategy = state.strategy(resource);
        admissionChain.complete(request, next);
        strategy.prepareWrite(draft);
        Runnable end = strategy.begin(draft);
        try {
            if (!recorded) {
                fieldManager.recordCreation(sent, next);
            }
            DraftValidation.check(request, draft, strategy);
            admissionChain.validateNew(request, next);
            return store(request, next);
        } finally {
            end.run();
        }
    }

    private VerbResult store(ResourceRequest request, ObjectNode next) {
        ResourceBucket bucket = state.bucket(request.resource());
        String name = Json.string(next, "metadata", "name");
        StoredObject ready = StorageLimit.store(request.resource(), next);
        StoredObject taken = bucket.get(Json.string(next, "metadata", "namespace"), name);
        admissionChain.charge(request, next, false);
        if (!request.dryRun()
                && !Json.string(next, "metadata", "resourceVersion").isEmpty()) {
            // The storage says so, which is not asked in dry runs.
            throw ApiException.plain500("resourceVersion should not be set on objects to be created");
        }
        if (taken != null) {
            throw ApiException.alreadyExists(request.subject(name), taken.deleting());
        }
        if (request.dryRun()) {
            return new VerbResult(201, next);
        }
        StoredObject stored = state.objectStore().create(bucket, ready, () -> {
            namespaceLifecycle.checkNotTerminating(request, name);
            admissionChain.charge(request, next, true);
        });
        if (stored == null) {
            throw ApiException.alreadyExists(request.subject(name), false);
        }
        return new VerbResult(201, StorageConversion.written(request.resource(), next, stored));
    }

    /**
     * Sets the metadata that the server gives new objects: {@code BeforeCreate} in {@code pkg/registry/rest/create.go}
     * of the apiserver library, v1.33.
     */
    private void setMetadata(ResourceRequest request, ObjectNode metadata, String now) {
        String base = Json.string(metadata, "generateName");
        if (Json.string(metadata, "name").isEmpty() && !base.isEmpty()) {
            metadata.put("name", state.nameGenerator().name(base));
        }
        if (request.resource().namespaced()) {
            metadata.put("namespace", request.namespace());
        }
        metadata.put("uid", state.nameGenerator().uid()).put("creationTimestamp", now);
        metadata.remove(NOT_OF_CLIENTS);
        if (request.resource().resourceTraits().generation()) {
            metadata.put("generation", 1);
        }
    }
}
