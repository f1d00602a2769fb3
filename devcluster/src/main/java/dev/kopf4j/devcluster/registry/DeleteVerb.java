package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.PropagationPolicy;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The verb delete, also as controllers use it. Thread-safe. */
public final class DeleteVerb {
    private final ServerContext state;

    /** Deletes from that store. */
    public DeleteVerb(ServerContext state) {
        this.state = state;
    }

    /** Deletes after a look at the object by somebody who may refuse. */
    public VerbResult delete(ResourceRequest resourceRequest, Consumer<ObjectNode> review) {
        return delete(resourceRequest, DeleteOptions.of(resourceRequest.request()), review);
    }

    /** Deletes an object in the background if it is there and has that uid. */
    public void deleteIfPresent(Resource resource, String namespace, String name, String uid, String policy) {
        ResourceBucket resourceBucket = state.bucket(resource);
        StoredObject current = resourceBucket.get(namespace, name);
        while (current != null && current.uid().equals(uid)) {
            DeleteOptions options = new DeleteOptions(policy, "", "", java.util.Optional.empty(), false);
            if (step(resource, resourceBucket, current, options) != null) {
                return;
            }
            current = resourceBucket.get(namespace, name);
        }
    }

    private VerbResult delete(ResourceRequest resourceRequest, DeleteOptions options, Consumer<ObjectNode> review) {
        Resource resource = resourceRequest.resource();
        ResourceBucket resourceBucket = state.bucket(resource);
        warn(resourceRequest, options);
        while (true) {
            StoredObject current = resourceBucket.get(resourceRequest.namespace(), resourceRequest.name());
            if (current == null) {
                throw ApiException.notFound(resourceRequest.statusDetails());
            }
            checkPreconditions(resource.kindSubject(resourceRequest.name()), options, current);
            review.accept(StorageConversion.tree(resource, current));
            Outcome outcome = step(resource, resourceBucket, current, options);
            if (outcome != null) {
                return new VerbResult(200, outcome.gone() ? gone(resource, outcome) : outcome.object());
            }
        }
    }

    /** Jobs keep their pods unless the client says something else, which hardly anybody expects. */
    private void warn(ResourceRequest resourceRequest, DeleteOptions options) {
        if (options.policy().isEmpty()) {
            for (String warning : state.strategy(resourceRequest.resource()).deletionWarnings()) {
                if (!resourceRequest.warnings().contains(warning)) {
                    resourceRequest.warnings().add(warning);
                }
            }
        }
    }

    private record Outcome(boolean gone, ObjectNode object) {}

    private static void checkPreconditions(StatusDetails statusDetails, DeleteOptions options, StoredObject current) {
        if (!options.uid().isEmpty() && !options.uid().equals(current.uid())) {
            throw ApiException.conflict(
                    statusDetails,
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record ("
                            + current.uid() + "). The object might have been deleted and then recreated");
        }
        if (!options.version().isEmpty() && !options.version().equals(String.valueOf(current.version()))) {
            throw ApiException.conflict(
                    statusDetails,
                    "the ResourceVersion in the precondition (" + options.version()
                            + ") does not match the ResourceVersion in record (" + current.version()
                            + "). The object might have been modified");
        }
    }

    /** One attempt; null when another write came between. */
    private @org.jspecify.annotations.Nullable Outcome step(
            Resource resource, ResourceBucket resourceBucket, StoredObject current, DeleteOptions options) {
        ObjectNode object = StorageConversion.tree(resource, current);
        ObjectNode metadata = Json.child(object, "metadata");
        boolean already = metadata.has("deletionTimestamp");
        boolean changed = PropagationPolicy.setFinalizer(
                metadata, options.policy(), resource.resourceTraits().orphansByDefault());
        DeletionStrategy deletionStrategy = state.strategy(resource).deletion();
        if (!already) {
            deletionStrategy.begin(object, state.instant(), options.grace());
        } else {
            changed |= deletionStrategy.shorten(object, options.grace());
        }
        if (!deletionStrategy.released(object)) {
            if (already && !changed) {
                return new Outcome(false, object);
            }
            return options.dryRun() ? new Outcome(false, object) : mark(resource, resourceBucket, current, object);
        }
        if (options.dryRun()) {
            return new Outcome(true, object);
        }
        long version = state.objectStore().remove(resourceBucket, current);
        if (version == 0) {
            return null;
        }
        metadata.put("resourceVersion", String.valueOf(version));
        return new Outcome(true, object);
    }

    private @org.jspecify.annotations.Nullable Outcome mark(
            Resource resource, ResourceBucket resourceBucket, StoredObject current, ObjectNode object) {
        StoredObject stored =
                state.objectStore().replace(resourceBucket, current, StorageConversion.store(resource, object));
        if (stored == null) {
            return null;
        }
        Json.child(object, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return new Outcome(false, object);
    }

    private ObjectNode gone(Resource resource, Outcome outcome) {
        if (resource.resourceTraits().returnsDeleted()) {
            return state.strategy(resource).deletion().shownWhenGone(outcome.object());
        }
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details");
        details.put("name", Json.string(outcome.object(), "metadata", "name"));
        if (!resource.group().isEmpty()) {
            details.put("group", resource.group());
        }
        details.put("kind", resource.plural());
        details.put("uid", Json.string(outcome.object(), "metadata", "uid"));
        return status;
    }

    /** Deletes the objects of a list; those that are gone meanwhile are no error. */
    public void deleteAll(ResourceRequest resourceRequest, List<StoredObject> objects, AdmissionChain admissionChain) {
        DeleteOptions options = DeleteOptions.of(resourceRequest.request());
        for (StoredObject object : objects) {
            try {
                ResourceRequest single = resourceRequest.named(object.namespace(), object.name());
                delete(single, options, before -> admissionChain.admitDeletion(single, before, true));
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }
}
