package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Subject;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb delete, also as controllers use it. Thread-safe. */
public final class Deleting {
    private static final String PODS_STAY = "child pods are preserved by default when jobs are deleted; set"
            + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";
    private final ServerState state;

    /** Deletes from that store. */
    public Deleting(ServerState state) {
        this.state = state;
    }

    /** Deletes after a look at the object by somebody who may refuse. */
    Answer delete(Call call, Consumer<ObjectNode> review) {
        return delete(call, DeleteOptions.of(call.request()), review);
    }

    /** Deletes an object in the background if it is there and has that uid. */
    public void deleteIfPresent(Resource resource, String namespace, String name, String uid, String policy) {
        Bucket bucket = state.bucket(resource);
        StoredObject current = bucket.get(namespace, name);
        while (current != null && current.uid().equals(uid)) {
            DeleteOptions options = new DeleteOptions(policy, "", "", java.util.Optional.empty(), false);
            if (step(resource, bucket, current, options) != null) {
                return;
            }
            current = bucket.get(namespace, name);
        }
    }

    private Answer delete(Call call, DeleteOptions options, Consumer<ObjectNode> review) {
        Resource resource = call.resource();
        Bucket bucket = state.bucket(resource);
        warn(call, options);
        while (true) {
            StoredObject current = bucket.get(call.namespace(), call.name());
            if (current == null) {
                throw ApiException.notFound(call.subject());
            }
            checkPreconditions(resource.kindSubject(call.name()), options, current);
            review.accept(Shown.tree(resource, current));
            Outcome outcome = step(resource, bucket, current, options);
            if (outcome != null) {
                return new Answer(200, outcome.gone() ? gone(resource, outcome) : outcome.object());
            }
        }
    }

    /** Jobs keep their pods unless the client says something else, which hardly anybody expects. */
    private static void warn(Call call, DeleteOptions options) {
        boolean silent =
                options.policy().isEmpty() && call.resource().traits().steps().contains("job");
        if (silent && !call.warnings().contains(PODS_STAY)) {
            call.warnings().add(PODS_STAY);
        }
    }

    private record Outcome(boolean gone, ObjectNode object) {}

    private static void checkPreconditions(Subject subject, DeleteOptions options, StoredObject current) {
        if (!options.uid().isEmpty() && !options.uid().equals(current.uid())) {
            throw ApiException.conflict(
                    subject,
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record ("
                            + current.uid() + "). The object might have been deleted and then recreated");
        }
        if (!options.version().isEmpty() && !options.version().equals(String.valueOf(current.version()))) {
            throw ApiException.conflict(
                    subject,
                    "the ResourceVersion in the precondition (" + options.version()
                            + ") does not match the ResourceVersion in record (" + current.version()
                            + "). The object might have been modified");
        }
    }

    /** One attempt; null when another write came between. */
    private @org.jspecify.annotations.Nullable Outcome step(
            Resource resource, Bucket bucket, StoredObject current, DeleteOptions options) {
        ObjectNode object = Shown.tree(resource, current);
        ObjectNode metadata = Json.child(object, "metadata");
        boolean already = metadata.has("deletionTimestamp");
        boolean changed =
                Propagation.mark(metadata, options.policy(), resource.traits().orphans());
        Deletion deletion = Deletion.of(resource, object, options.grace());
        if (!already) {
            deletion.begin(object, state.instant(), options.grace());
        } else {
            changed |= Deletion.shorten(object, options.grace());
        }
        if (deletion.holds(object)) {
            if (already && !changed) {
                return new Outcome(false, object);
            }
            return options.dryRun() ? new Outcome(false, object) : mark(resource, bucket, current, object);
        }
        if (options.dryRun()) {
            return new Outcome(true, object);
        }
        long version = state.store().remove(bucket, current);
        if (version == 0) {
            return null;
        }
        metadata.put("resourceVersion", String.valueOf(version));
        return new Outcome(true, object);
    }

    private @org.jspecify.annotations.Nullable Outcome mark(
            Resource resource, Bucket bucket, StoredObject current, ObjectNode object) {
        StoredObject stored = state.store().replace(bucket, current, Shown.store(resource, object));
        if (stored == null) {
            return null;
        }
        Json.child(object, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return new Outcome(false, object);
    }

    private static ObjectNode gone(Resource resource, Outcome outcome) {
        if (resource.traits().returnsDeleted()) {
            return Deletion.shownWhenGone(resource, outcome.object());
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
    void deleteAll(Call call, List<StoredObject> objects, Reviewing reviewing) {
        DeleteOptions options = DeleteOptions.of(call.request());
        for (StoredObject object : objects) {
            try {
                Call single = call.named(object.namespace(), object.name());
                delete(single, options, before -> reviewing.reviewDeletion(single, before, true));
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    /** The finalizers of an object as an array to be changed. */
    static ArrayNode finalizers(ObjectNode metadata) {
        return metadata.get("finalizers") instanceof ArrayNode present ? present : metadata.putArray("finalizers");
    }
}
