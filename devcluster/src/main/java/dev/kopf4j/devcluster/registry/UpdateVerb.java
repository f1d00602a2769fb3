package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
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
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes of existing objects: the verb update, and what patches share with it. Thread-safe. */
public final class UpdateVerb {
    private static final int ATTEMPTS = 5;
    private final ServerContext state;
    private final CreateVerb createVerb;
    private final AdmissionChain admissionChain;

    public UpdateVerb(ServerContext state, CreateVerb createVerb, AdmissionChain admissionChain) {
        this.admissionChain = admissionChain;
        this.state = state;
        this.createVerb = createVerb;
    }

    /** Makes the next state out of a copy of the present one. */
    @FunctionalInterface
    public interface ObjectEdit {
        ObjectNode apply(ObjectNode present);
    }

    public VerbResult update(ResourceRequest resourceRequest) {
        WriteOptionsValidation.check(resourceRequest.request(), "UpdateOptions");
        ObjectNode sent = RequestDecoder.decode(resourceRequest);
        checkNames(resourceRequest, sent);
        StoredObject current =
                state.bucket(resourceRequest.resource()).get(resourceRequest.namespace(), resourceRequest.name());
        boolean creates = resourceRequest.resource().resourceTraits().createOnUpdate()
                && resourceRequest.subresource().isEmpty();
        if (current == null && creates) {
            ObjectMetaTypes.metadata(sent).put("name", resourceRequest.name());
            return createVerb.create(resourceRequest, sent, false);
        }
        String uid = Json.string(sent, "metadata", "uid");
        if (current != null && !uid.isEmpty() && !uid.equals(current.uid())) {
            throw ApiException.conflict(
                    resourceRequest.statusDetails(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + current.uid());
        }
        boolean unconditional = resourceRequest.resource().resourceTraits().unconditionalUpdate();
        return change(resourceRequest, present -> {
            ObjectNode next = sent.deepCopy();
            if (unconditional
                    && Json.string(next, "metadata", "resourceVersion").isEmpty()) {
                Json.child(next, "metadata").set("resourceVersion", Json.at(present, "metadata", "resourceVersion"));
            }
            return next;
        });
    }

    public static void checkNames(ResourceRequest resourceRequest, ObjectNode sent) {
        ObjectNode metadata = ObjectMetaTypes.metadata(sent);
        String name = Json.string(metadata, "name");
        if (name.isEmpty()) {
            throw ApiException.badRequest("the name of the object (" + resourceRequest.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(resourceRequest.name())) {
            throw ApiException.badRequest("the name of the object (" + name + ") does not match the name on the URL ("
                    + resourceRequest.name() + ")");
        }
        CreateVerb.checkNamespace(resourceRequest, metadata);
        metadata.put("name", resourceRequest.name());
        if (resourceRequest.resource().namespaced()) {
            metadata.put("namespace", resourceRequest.namespace());
        }
    }

    /** Changes the object of a call; tries again when another write came between, unless a version was given. */
    public VerbResult change(ResourceRequest resourceRequest, ObjectEdit objectEdit) {
        return change(resourceRequest, objectEdit, false);
    }

    /** The same; an applied state brings its own record of owners. */
    VerbResult change(ResourceRequest resourceRequest, ObjectEdit objectEdit, boolean applied) {
        ResourceBucket resourceBucket = state.bucket(resourceRequest.resource());
        for (int attempt = 1; ; attempt++) {
            StoredObject current = resourceBucket.get(resourceRequest.namespace(), resourceRequest.name());
            if (current == null) {
                throw ApiException.notFound(resourceRequest.statusDetails());
            }
            int warned = resourceRequest.warnings().size();
            ObjectNode before = StorageConversion.tree(resourceRequest.resource(), current);
            ObjectNode changed = objectEdit.apply(before.deepCopy());
            checkVersion(resourceRequest, changed, current);
            ObjectNode next = admissionChain.mutate(resourceRequest, before, changed);
            finish(resourceRequest, before, next, applied);
            admissionChain.validate(resourceRequest, before, next);
            if (resourceRequest.dryRun() || JsonEquality.same(before, next)) {
                return new VerbResult(200, next);
            }
            if (commit(resourceRequest.resource(), resourceBucket, current, next)) {
                return new VerbResult(200, next);
            }
            if (attempt == ATTEMPTS) {
                throw ApiException.modified(resourceRequest.statusDetails());
            }
            resourceRequest
                    .warnings()
                    .subList(warned, resourceRequest.warnings().size())
                    .clear();
        }
    }

    private void checkVersion(ResourceRequest resourceRequest, ObjectNode next, StoredObject current) {
        String version = Json.string(next, "metadata", "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            throw ApiException.invalid(
                    resourceRequest.statusDetails(),
                    List.of(FieldError.invalid("metadata.resourceVersion", "0x0", "must be specified for an update")));
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw ApiException.plain500("strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        if (Long.parseLong(version) != current.version()) {
            throw ApiException.modified(resourceRequest.statusDetails());
        }
    }

    private void finish(ResourceRequest resourceRequest, ObjectNode before, ObjectNode next, boolean applied) {
        Resource resource = resourceRequest.resource();
        keepServerFields(before, next);
        ObjectDraft objectDraft = new ObjectDraft(resource, next, before, resourceRequest.subresource());
        ResourceStrategy rules = state.strategy(resource);
        SubresourceFields.keepOtherParts(objectDraft, rules);
        rules.prepare(objectDraft);
        countGeneration(resource, rules, before, next);
        if (!applied) {
            resourceRequest.fieldManager(state.now()).recordUpdate(before, next);
        }
        List<FieldError> causes = new ArrayList<>(ObjectMetaValidation.ofUpdate(next, before));
        FieldChecks checks = new FieldChecks();
        rules.validate(objectDraft, checks);
        causes.addAll(checks.errors());
        if (!causes.isEmpty()) {
            throw ApiException.invalid(resource.kindSubject(resourceRequest.name()), causes);
        }
        resourceRequest.warnings().addAll(ObjectMetaValidation.finalizerWarnings(next, before));
        resourceRequest.warnings().addAll(rules.warnings(objectDraft));
    }

    private static void keepServerFields(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = ObjectMetaTypes.metadata(next);
        JsonNode former = before.path("metadata");
        for (String field : List.of("creationTimestamp", "generation")) {
            restore(metadata, former, field);
        }
        for (String field : List.of("uid", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields")) {
            if (!metadata.has(field)) {
                restore(metadata, former, field);
            }
        }
    }

    private static void restore(ObjectNode metadata, JsonNode former, String field) {
        JsonNode value = former.get(field);
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.set(field, value);
        }
    }

    private static void countGeneration(Resource resource, ResourceStrategy rules, ObjectNode before, ObjectNode next) {
        if (resource.resourceTraits().generation()
                && !JsonEquality.same(rules.generationPart(resource, before), rules.generationPart(resource, next))) {
            ObjectNode metadata = Json.child(next, "metadata");
            metadata.put("generation", metadata.path("generation").longValue(0) + 1);
        }
    }

    /** Stores the next state, or lets the object go when nothing holds it any more. */
    private boolean commit(Resource resource, ResourceBucket resourceBucket, StoredObject current, ObjectNode next) {
        if (state.strategy(resource).deletion().released(next)) {
            return state.objectStore().remove(resourceBucket, current) > 0;
        }
        StoredObject stored =
                state.objectStore().replace(resourceBucket, current, StorageConversion.store(resource, next));
        if (stored == null) {
            return false;
        }
        Json.child(next, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return true;
    }
}
