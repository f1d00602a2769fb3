package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.registry.AdmissionChain;
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
import dev.kopf4j.json.JsonEquality;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verb update, and what patches share with it: {@code pkg/endpoints/handlers/update.go} and
 * {@code pkg/registry/rest/update.go} of the apiserver library, v1.33. Thread-safe.
 */
public final class UpdateVerb {
    private static final String DELETION = "deletionTimestamp";
    private static final List<String> ALWAYS_KEPT = List.of("creationTimestamp", "generation");
    private static final List<String> KEPT_IF_MISSING = List.of("uid", "deletionGracePeriodSeconds", "managedFields");

    /** {@code requestTimeoutUpperBound} in {@code pkg/endpoints/handlers/rest.go}. */
    static final Duration TIMEOUT = Duration.ofSeconds(34);
    /** Ends requests that call for their own repetition where the clock stands still. */
    static final int ATTEMPTS = 1000;

    private final ServerContext state;
    private final CreateVerb createVerb;
    private final AdmissionChain admissionChain;

    /** Updates objects in the store of a server. */
    public UpdateVerb(ServerContext state, CreateVerb createVerb, AdmissionChain admissionChain) {
        this.state = state;
        this.createVerb = createVerb;
        this.admissionChain = admissionChain;
    }

    /** Replaces an object by the one that the client sent; objects of some kinds are created if they are missing. */
    public VerbResult update(ResourceRequest request) {
        WriteOptionsValidation.check(request.request(), "UpdateOptions");
        ObjectNode sent = RequestDecoder.decode(request);
        RequestNameValidation.check(request, sent);
        boolean creates = request.resource().resourceTraits().createOnUpdate()
                && request.subresource().isEmpty();
        return creates
                ? new CreateOrChange(state).write(request, () -> create(request, sent), () -> change(request, sent))
                : change(request, sent);
    }

    private VerbResult create(ResourceRequest request, ObjectNode sent) {
        WritePreconditions.checkUid(request, sent, "");
        ObjectNode next = sent.deepCopy();
        ObjectMetaTypes.metadata(next).put("name", request.name()).remove("resourceVersion");
        return createVerb.create(request, next, false);
    }

    private VerbResult change(ResourceRequest request, ObjectNode sent) {
        StoredObject current = state.bucket(request.resource()).get(request.namespace(), request.name());
        WritePreconditions.checkUid(request, sent, current == null ? "" : current.uid());
        OwnerDeduplication.beforeAdmission(request, sent);
        return change(request, present -> sent.deepCopy());
    }

    /** Changes the object of a request; tries again if another write came between, unless the edit names a version. */
    public VerbResult change(ResourceRequest request, ObjectEdit edit) {
        return change(request, edit, false);
    }

    /**
     * The same.
     *
     * @param applied whether the edit records managed fields itself
     */
    VerbResult change(ResourceRequest request, ObjectEdit edit, boolean applied) {
        ResourceBucket bucket = state.bucket(request.resource());
        Instant end = state.instant().plus(TIMEOUT);
        for (int attempt = 1; ; attempt++) {
            StoredObject current = bucket.get(request.namespace(), request.name());
            if (current == null) {
                throw ApiException.notFound(request.statusDetails());
            }
            int warned = request.warnings().size();
            ObjectNode before = StorageConversion.tree(request.resource(), current);
            ObjectNode changed = edit.apply(before.deepCopy());
            WritePreconditions.checkVersion(request, changed, current);
            boolean asks = admissionChain.mutates(request, before);
            if (asks && !applied) {
                recordBeforeWebhooks(request, before, changed);
            }
            ObjectNode next = asks ? admissionChain.mutate(request, before, changed) : changed;
            OwnerDeduplication.afterAdmission(request, next);
            Optional<ObjectNode> written = complete(request, current, before, next, applied || asks);
            if (written.isPresent()) {
                return new VerbResult(200, written.get());
            }
            if (attempt == ATTEMPTS || !state.instant().isBefore(end)) {
                throw ApiException.timeout();
            }
            request.warnings().subList(warned, request.warnings().size()).clear();
        }
    }

    /** What mutating webhooks change belongs to nobody, and they see who owns the rest. */
    private void recordBeforeWebhooks(ResourceRequest request, ObjectNode before, ObjectNode changed) {
        ObjectDraft draft = new ObjectDraft(request.resource(), changed.deepCopy(), before, request.subresource());
        ResourceStrategy strategy = state.strategy(request.resource());
        keepServerFields(before, draft.next(), false);
        keepOtherParts(draft, strategy);
        strategy.prepare(draft);
        request.fieldManager(state.now()).recordUpdate(before, draft.next());
        FieldManager.copy(draft.next(), changed);
    }

    private Optional<ObjectNode> complete(
            ResourceRequest request, StoredObject current, ObjectNode before, ObjectNode next, boolean recorded) {
        Resource resource = request.resource();
        ResourceStrategy strategy = state.strategy(resource);
        ObjectDraft draft = new ObjectDraft(resource, next, before, request.subresource());
        keepServerFields(before, next, recorded);
        keepOtherParts(draft, strategy);
        strategy.prepareWrite(draft);
        Runnable end = strategy.begin(draft);
        try {
            countGeneration(draft, strategy);
            if (!recorded) {
                request.fieldManager(state.now()).recordUpdate(before, next);
            }
            DraftValidation.check(request, draft, strategy);
            FieldManager.keepTimes(before, next);
            admissionChain.validate(request, before, next);
            boolean idle = JsonEquality.same(before, next) && StorageConversion.isCurrent(resource, current, next);
            return request.dryRun() || idle ? Optional.of(next) : commit(request, current, next);
        } finally {
            end.run();
        }
    }

    /**
     * Stores the next state, or removes the object if nothing holds it any more; what to answer, nothing if another
     * write came between.
     */
    private Optional<ObjectNode> commit(ResourceRequest request, StoredObject current, ObjectNode next) {
        Resource resource = request.resource();
        ResourceBucket bucket = state.bucket(resource);
        if (state.strategy(resource).deletion().released(next)) {
            return state.objectStore().remove(bucket, current) > 0 ? Optional.of(next) : Optional.empty();
        }
        StoredObject stored = state.objectStore().replace(bucket, current, StorageLimit.store(resource, next));
        return stored == null ? Optional.empty() : Optional.of(StorageConversion.written(resource, next, stored));
    }

    /**
     * Restores in place what the endpoint may not change: {@code GetResetFields} and {@code PrepareForUpdate} of the
     * strategies, v1.33.
     */
    private static void keepOtherParts(ObjectDraft draft, ResourceStrategy strategy) {
        ObjectNode before = Objects.requireNonNull(draft.before());
        if (draft.isStatus()) {
            keepAllButStatus(draft, before, strategy);
            return;
        }
        for (String field : strategy.resetFields(draft.subresource())) {
            if (!field.equals("status") || draft.resource().hasStatus()) {
                restore(draft.next(), before, field);
            }
        }
    }

    private static void keepAllButStatus(ObjectDraft draft, ObjectNode before, ResourceStrategy strategy) {
        ObjectNode next = draft.next();
        JsonNode metadata = next.get("metadata");
        for (String name : List.copyOf(next.propertyNames())) {
            if (!name.equals("status")) {
                next.remove(name);
            }
        }
        before.properties().forEach(entry -> {
            if (!entry.getKey().equals("status")) {
                next.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
        if (!draft.resource().isCustom()) {
            next.set("metadata", metadata);
            for (String field : strategy.metadataKeptByStatus()) {
                restore((ObjectNode) metadata, (ObjectNode) before.get("metadata"), field);
            }
        } else {
            restore((ObjectNode) next.get("metadata"), (ObjectNode) metadata, "managedFields");
        }
    }

    private static void restore(ObjectNode next, ObjectNode before, String name) {
        JsonNode former = before.get(name);
        if (former == null) {
            next.remove(name);
        } else {
            next.set(name, former.deepCopy());
        }
    }

    /**
     * Takes fields of the metadata that only the server may change from the stored object: {@code BeforeUpdate} in
     * {@code pkg/registry/rest/update.go} of the apiserver library, v1.33.
     */
    private static void keepServerFields(ObjectNode before, ObjectNode next, boolean recorded) {
        ObjectNode metadata = ObjectMetaTypes.metadata(next);
        JsonNode former = before.path("metadata");
        ALWAYS_KEPT.forEach(field -> keep(metadata, former, field));
        if (former.has(DELETION)) {
            keep(metadata, former, DELETION);
        }
        for (String field : KEPT_IF_MISSING) {
            boolean givenUp = recorded && field.equals("managedFields"); // nobody owns anything any more
            if (!givenUp && !metadata.has(field)) {
                keep(metadata, former, field);
            }
        }
    }

    private static void keep(ObjectNode metadata, JsonNode former, String field) {
        JsonNode value = former.get(field);
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.set(field, value);
        }
    }

    /** Counts {@code metadata.generation} if the part of the object that it counts has changed. */
    private static void countGeneration(ObjectDraft draft, ResourceStrategy strategy) {
        Resource resource = draft.resource();
        ObjectNode before = Objects.requireNonNull(draft.before());
        if (resource.resourceTraits().generation()
                && !JsonEquality.same(
                        strategy.generationPart(resource, before), strategy.generationPart(resource, draft.next()))) {
            ObjectNode metadata = Json.child(draft.next(), "metadata");
            metadata.put("generation", metadata.path("generation").longValue(0) + 1);
        }
    }
}
