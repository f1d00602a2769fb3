package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.kind.Kinds;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The verb create. Thread-safe. */
final class Creating {
    private static final int MAX_GENERATED_BASE = 58;
    private final ServerState state;
    private final Kinds kinds;
    private final Namespaces namespaces;
    private final Reviewing reviewing;

    Creating(ServerState state, Kinds kinds, Reviewing reviewing) {
        this.reviewing = reviewing;
        this.state = state;
        this.kinds = kinds;
        this.namespaces = new Namespaces(state);
    }

    Answer create(Call call) {
        WriteOptions.check(call.request(), "CreateOptions");
        return create(call, Decoder.decode(call), false);
    }

    /** Creates an object that is already decoded; an applied one brings its own record of owners. */
    Answer create(Call call, ObjectNode next, boolean applied) {
        Resource resource = call.resource();
        ObjectNode metadata = MetadataTypes.metadata(next);
        checkNamespace(call, metadata);
        namespaces.checkOpen(call, Json.string(metadata, "name"));
        if (!Json.string(metadata, "resourceVersion").isEmpty()) {
            throw ApiException.plain500("resourceVersion should not be set on objects to be created");
        }
        if (resource.namespaced()) {
            metadata.put("namespace", call.namespace());
        }
        ObjectNode mutated = reviewing.mutateNew(call, next);
        return finish(call, mutated, applied);
    }

    private Answer finish(Call call, ObjectNode next, boolean applied) {
        Resource resource = call.resource();
        begin(call, MetadataTypes.metadata(next));
        ObjectNode sent = resource.traits().assigned().isEmpty() ? next : next.deepCopy();
        if (resource.hasStatus()) {
            next.remove("status");
        }
        if (resource.traits().asker()) {
            ObjectNode spec = Json.child(next, "spec");
            spec.remove(List.of("username", "uid", "groups", "extra"));
            spec.setAll(call.user().info());
        }
        Draft draft = new Draft(resource, next, null, "", call.warnings());
        KindRules rules = kinds.rules(resource);
        rules.prepare(draft);
        if (!applied) {
            call.ownership(state.now()).recordCreation(sent, next);
        }
        check(call, draft, rules);
        reviewing.validateNew(call, next);
        return store(call, next);
    }

    static void checkNamespace(Call call, ObjectNode metadata) {
        String given = Json.string(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(call.namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private void begin(Call call, ObjectNode metadata) {
        String base = Json.string(metadata, "generateName");
        if (Json.string(metadata, "name").isEmpty() && !base.isEmpty()) {
            String kept = base.substring(0, Math.min(base.length(), MAX_GENERATED_BASE));
            metadata.put("name", kept + state.suffix());
        }
        if (call.resource().namespaced()) {
            metadata.put("namespace", call.namespace());
        }
        metadata.put("uid", state.uid()).put("creationTimestamp", state.now());
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"));
        if (call.resource().traits().generation()) {
            metadata.put("generation", 1);
        }
    }

    private static void check(Call call, Draft draft, KindRules rules) {
        List<Cause> causes = new java.util.ArrayList<>(MetadataChecks.ofNew(call.resource(), draft.next()));
        causes.addAll(rules.check(draft));
        if (!causes.isEmpty()) {
            String name = Json.string(draft.next(), "metadata", "name");
            throw ApiException.invalid(call.resource().kindSubject(name), causes);
        }
        call.warnings().addAll(MetadataChecks.finalizerWarnings(draft.next(), Json.missing()));
        call.warnings().addAll(rules.warnings(draft));
    }

    private Answer store(Call call, ObjectNode next) {
        Bucket bucket = state.bucket(call.resource());
        String name = Json.string(next, "metadata", "name");
        StoredObject taken = bucket.get(Json.string(next, "metadata", "namespace"), name);
        StoredObject stored = taken != null || call.dryRun()
                ? null
                : state.store().create(bucket, Shown.store(call.resource(), next));
        if (taken != null || (stored == null && !call.dryRun())) {
            boolean deleting = taken != null && taken.tree().path("metadata").has("deletionTimestamp");
            throw ApiException.alreadyExists(call.subject(name), deleting);
        }
        if (stored == null) {
            return new Answer(201, next);
        }
        Json.child(next, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return new Answer(201, next);
    }
}
