package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Equality;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes of existing objects: the verb update, and what patches share with it. Thread-safe. */
final class Updating {
    private static final int ATTEMPTS = 5;
    private final ServerState state;
    private final Kinds kinds;
    private final Creating creating;
    private final Reviewing reviewing;

    Updating(ServerState state, Kinds kinds, Creating creating, Reviewing reviewing) {
        this.reviewing = reviewing;
        this.state = state;
        this.kinds = kinds;
        this.creating = creating;
    }

    /** Makes the next state out of a copy of the present one. */
    @FunctionalInterface
    interface Change {
        ObjectNode apply(ObjectNode present);
    }

    Answer update(Call call) {
        WriteOptions.check(call.request(), "UpdateOptions");
        ObjectNode sent = Decoder.decode(call);
        checkNames(call, sent);
        StoredObject current = state.bucket(call.resource()).get(call.namespace(), call.name());
        boolean creates =
                call.resource().traits().createOnUpdate() && call.subresource().isEmpty();
        if (current == null && creates) {
            MetadataTypes.metadata(sent).put("name", call.name());
            return creating.create(call, sent, false);
        }
        String uid = Json.string(sent, "metadata", "uid");
        if (current != null && !uid.isEmpty() && !uid.equals(current.uid())) {
            throw ApiException.conflict(
                    call.subject(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + current.uid());
        }
        boolean unconditional = call.resource().traits().unconditionalUpdate();
        return change(call, present -> {
            ObjectNode next = sent.deepCopy();
            if (unconditional
                    && Json.string(next, "metadata", "resourceVersion").isEmpty()) {
                Json.child(next, "metadata").set("resourceVersion", Json.at(present, "metadata", "resourceVersion"));
            }
            return next;
        });
    }

    static void checkNames(Call call, ObjectNode sent) {
        ObjectNode metadata = MetadataTypes.metadata(sent);
        String name = Json.string(metadata, "name");
        if (name.isEmpty()) {
            throw ApiException.badRequest("the name of the object (" + call.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(call.name())) {
            throw ApiException.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + call.name() + ")");
        }
        Creating.checkNamespace(call, metadata);
        metadata.put("name", call.name());
        if (call.resource().namespaced()) {
            metadata.put("namespace", call.namespace());
        }
    }

    /** Changes the object of a call; tries again when another write came between, unless a version was given. */
    Answer change(Call call, Change change) {
        return change(call, change, false);
    }

    /** The same; an applied state brings its own record of owners. */
    Answer change(Call call, Change change, boolean applied) {
        Bucket bucket = state.bucket(call.resource());
        for (int attempt = 1; ; attempt++) {
            StoredObject current = bucket.get(call.namespace(), call.name());
            if (current == null) {
                throw ApiException.notFound(call.subject());
            }
            int warned = call.warnings().size();
            ObjectNode before = Shown.tree(call.resource(), current);
            ObjectNode changed = change.apply(before.deepCopy());
            checkVersion(call, changed, current);
            ObjectNode next = reviewing.mutate(call, before, changed);
            finish(call, before, next, applied);
            reviewing.validate(call, before, next);
            if (call.dryRun() || Equality.same(before, next)) {
                return new Answer(200, next);
            }
            if (commit(call.resource(), bucket, current, next)) {
                return new Answer(200, next);
            }
            if (attempt == ATTEMPTS) {
                throw ApiException.modified(call.subject());
            }
            call.warnings().subList(warned, call.warnings().size()).clear();
        }
    }

    private void checkVersion(Call call, ObjectNode next, StoredObject current) {
        String version = Json.string(next, "metadata", "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            throw ApiException.invalid(
                    call.subject(),
                    List.of(Cause.invalid("metadata.resourceVersion", "0x0", "must be specified for an update")));
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw ApiException.plain500("strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        if (Long.parseLong(version) != current.version()) {
            throw ApiException.modified(call.subject());
        }
    }

    private void finish(Call call, ObjectNode before, ObjectNode next, boolean applied) {
        Resource resource = call.resource();
        keepServerFields(before, next);
        Draft draft = new Draft(resource, next, before, call.subresource(), call.warnings());
        Subresources.isolate(draft);
        KindRules rules = kinds.rules(resource);
        rules.prepare(draft);
        countGeneration(resource, before, next);
        if (!applied) {
            call.ownership(state.now()).recordUpdate(before, next);
        }
        List<Cause> causes = new ArrayList<>(MetadataChecks.ofUpdate(next, before));
        causes.addAll(rules.check(draft));
        if (!causes.isEmpty()) {
            throw ApiException.invalid(resource.kindSubject(call.name()), causes);
        }
        call.warnings().addAll(MetadataChecks.finalizerWarnings(next, before));
        call.warnings().addAll(rules.warnings(draft));
    }

    private static void keepServerFields(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = MetadataTypes.metadata(next);
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

    private static void countGeneration(Resource resource, ObjectNode before, ObjectNode next) {
        if (resource.traits().generation() && !Equality.same(counted(resource, before), counted(resource, next))) {
            ObjectNode metadata = Json.child(next, "metadata");
            metadata.put("generation", metadata.path("generation").longValue(0) + 1);
        }
    }

    /** The part of an object whose changes its generation counts. */
    private static JsonNode counted(Resource resource, ObjectNode object) {
        if (!resource.isCustom() && object.has("spec")) {
            return object.get("spec");
        }
        ObjectNode rest = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            boolean status = entry.getKey().equals("status") && resource.hasStatus();
            if (!entry.getKey().equals("metadata") && !status) {
                rest.set(entry.getKey(), entry.getValue());
            }
        }
        return rest;
    }

    /** Stores the next state, or lets the object go when nothing holds it any more. */
    private boolean commit(Resource resource, Bucket bucket, StoredObject current, ObjectNode next) {
        if (Finalizers.released(next)) {
            return state.store().remove(bucket, current) > 0;
        }
        StoredObject stored = state.store().replace(bucket, current, Shown.store(resource, next));
        if (stored == null) {
            return false;
        }
        Json.child(next, "metadata").put("resourceVersion", String.valueOf(stored.version()));
        return true;
    }
}
