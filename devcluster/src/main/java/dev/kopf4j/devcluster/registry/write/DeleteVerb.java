package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.PropagationPolicy;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verb delete, also for controllers: {@code pkg/endpoints/handlers/delete.go} and {@code Delete} in
 * {@code pkg/registry/generic/registry/store.go} of the apiserver library, v1.33. Thread-safe.
 */
public final class DeleteVerb {
    private final ServerContext state;

    /** Deletes objects in the store of a server. */
    public DeleteVerb(ServerContext state) {
        this.state = state;
    }

    /**
     * Deletes the object of a request.
     *
     * @param review gets the object before its deletion, and may refuse
     * @throws ApiException also if the object changes during each of many attempts, as by the webhooks themselves
     */
    public VerbResult delete(ResourceRequest request, DeleteOptions options, Consumer<ObjectNode> review) {
        Resource resource = request.resource();
        ResourceBucket bucket = state.bucket(resource);
        warn(request, options);
        Instant end = state.instant().plus(UpdateVerb.TIMEOUT);
        for (int attempt = 1; ; attempt++) {
            StoredObject current = bucket.get(request.namespace(), request.name());
            if (current == null) {
                throw ApiException.notFound(request.statusDetails());
            }
            checkPreconditions(request, options, current);
            review.accept(StorageConversion.tree(resource, current));
            Outcome outcome = attempt(resource, bucket, current, options);
            if (outcome != null) {
                return new VerbResult(200, outcome.gone() ? answer(resource, outcome.object()) : outcome.object());
            }
            if (attempt == UpdateVerb.ATTEMPTS || !state.instant().isBefore(end)) {
                throw ApiException.timeout();
            }
        }
    }

    /** Deletes the objects of a list; it is no error if one of them is gone already. */
    public void deleteAll(ResourceRequest request, List<StoredObject> objects, AdmissionChain admissionChain) {
        DeleteOptions options = DeleteOptions.of(request.request());
        for (StoredObject object : objects) {
            try {
                ResourceRequest single = request.named(object.namespace(), object.name());
                delete(single, options, before -> admissionChain.admitDeletion(single, before, true));
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    private void warn(ResourceRequest request, DeleteOptions options) {
        if (options.policy().isEmpty()) {
            for (String warning : state.strategy(request.resource()).deletionWarnings()) {
                if (!request.warnings().contains(warning)) {
                    request.warnings().add(warning);
                }
            }
        }
    }

    private ObjectNode answer(Resource resource, ObjectNode object) {
        return resource.resourceTraits().returnsDeleted()
                ? state.strategy(resource).deletion().shownWhenGone(object)
                : deletionStatus(resource, object);
    }

    private record Outcome(boolean gone, ObjectNode object) {}

    /** One attempt; null if another write came between. */
    private @Nullable Outcome attempt(
            Resource resource, ResourceBucket bucket, StoredObject current, DeleteOptions options) {
        DeletionStrategy deletion = state.strategy(resource).deletion();
        ObjectNode object = StorageConversion.tree(resource, current);
        boolean already = current.deleting();
        boolean changed = begin(resource, deletion, object, already, options);
        if (deletion.released(object)) {
            if (options.dryRun()) {
                return new Outcome(true, object);
            }
            StoredObject last = current;
            boolean marked = !already && deletion.marksBeforeRemoval();
            if (marked) {
                last = state.objectStore().replace(bucket, current, StorageConversion.store(resource, object));
            }
            if (last == null) {
                return null;
            }
            Outcome removed = remove(bucket, last, object);
            boolean goneAnyhow = removed == null && marked && !isThere(bucket, last);
            return goneAnyhow ? outcome(true, object, last.version()) : removed;
        }
        boolean stays = (already && !changed) || options.dryRun();
        return stays ? new Outcome(false, object) : mark(resource, bucket, current, object);
    }

    /** Whether an object is still there: who removes what is marked, such as a kubelet, may have been quicker. */
    private static boolean isThere(ResourceBucket bucket, StoredObject object) {
        StoredObject present = bucket.get(object.namespace(), object.name());
        return present != null && present.uid().equals(object.uid());
    }

    /** Marks an object as being deleted; true if that changed an object that was marked already. */
    private boolean begin(
            Resource resource, DeletionStrategy deletion, ObjectNode object, boolean already, DeleteOptions options) {
        boolean orphans = resource.resourceTraits().orphansByDefault();
        boolean changed = PropagationPolicy.setFinalizer(Json.child(object, "metadata"), options.policy(), orphans);
        if (already) {
            return deletion.shorten(object, options.grace()) || changed;
        }
        deletion.begin(object, state.instant(), options.grace());
        return true;
    }

    private @Nullable Outcome remove(ResourceBucket bucket, StoredObject current, ObjectNode object) {
        long version = state.objectStore().remove(bucket, current);
        return version == 0 ? null : outcome(true, object, version);
    }

    private @Nullable Outcome mark(Resource resource, ResourceBucket bucket, StoredObject current, ObjectNode object) {
        StoredObject stored = state.objectStore().replace(bucket, current, StorageConversion.store(resource, object));
        return stored == null ? null : outcome(false, object, stored.version());
    }

    private static Outcome outcome(boolean gone, ObjectNode object, long version) {
        Json.child(object, "metadata").put("resourceVersion", String.valueOf(version));
        return new Outcome(gone, object);
    }

    /**
     * Checks the uid and version that a client expects of the object that it deletes: {@code Preconditions.Check} in
     * {@code pkg/storage/interfaces.go} and {@code pkg/registry/rest/delete.go} of the apiserver library, v1.33.
     */
    public static void checkPreconditions(ResourceRequest request, DeleteOptions options, StoredObject current) {
        StatusDetails details = request.resource().kindSubject(request.name());
        if (!options.uid().isEmpty() && !options.uid().equals(current.uid())) {
            throw ApiException.conflict(
                    details,
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record ("
                            + current.uid() + "). The object might have been deleted and then recreated");
        }
        if (!options.version().isEmpty() && !options.version().equals(String.valueOf(current.version()))) {
            throw ApiException.conflict(
                    details,
                    "the ResourceVersion in the precondition (" + options.version()
                            + ") does not match the ResourceVersion in record (" + current.version()
                            + "). The object might have been modified");
        }
    }

    /** The Status with which DELETE answers if it does not show the deleted object. */
    private static ObjectNode deletionStatus(Resource resource, ObjectNode object) {
        ObjectNode status = ApiException.statusOf("Success");
        ObjectNode details = status.putObject("details");
        details.put("name", Json.string(object, "metadata", "name"));
        if (!resource.group().isEmpty()) {
            details.put("group", resource.group());
        }
        details.put("kind", resource.plural());
        details.put("uid", Json.string(object, "metadata", "uid"));
        return status;
    }
}
