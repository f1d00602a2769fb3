package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.fieldmanager.ManagedFields.ManagerKey;
import dev.kopf4j.devcluster.fieldmanager.ManagedFields.OwnedFields;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.SortedKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records in managedFields who owns which field, for one write of one object. Follows
 * {@code pkg/util/managedfields/internal/fieldmanager.go} of apimachinery, v1.33.
 *
 * @param manager who writes
 * @param subresource the endpoint that is written through; empty for the object itself
 * @param now the time of the write
 */
public record FieldManager(Resource resource, String manager, String subresource, String now) {
    private static final String EACH = "[]";

    private ManagerKey key(String operation) {
        return new ManagerKey(manager, operation, resource.apiVersion(), subresource);
    }

    private IgnoredFields ignored() {
        return new IgnoredFields(resource, subresource);
    }

    /**
     * Copies what a client sent in the fields that the server may set itself: what {@link #recordCreation} needs when
     * the server has set them.
     */
    public ObjectNode sentWhereServerAssigns(ObjectNode sent) {
        return picked(sent, resource.resourceTraits().serverAssignedFields());
    }

    /**
     * Records a new object that was not applied: the writer owns all of it but the fields that the server assigns.
     *
     * @param sent what the client sent in those fields
     * @param next what is stored; its managedFields are set
     */
    public void recordCreation(ObjectNode sent, ObjectNode next) {
        List<String> assigned = resource.resourceTraits().serverAssignedFields();
        ObjectNode owned = assigned.isEmpty() ? next : restored(next, sent, assigned);
        recordUpdate(Json.object(), owned);
        ManagedFields.copy(owned, next);
    }

    /**
     * Records a write that is no apply: the writer owns what it changed, others lose it.
     *
     * @param before the stored object; empty if it is new
     * @param next what is stored; its managedFields are set
     */
    public void recordUpdate(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = Json.child(next, "metadata");
        boolean isNew = before.isEmpty();
        ManagedFields owners = owners(before, metadata.path("managedFields"));
        if (owners.isEmpty() && !isNew) {
            metadata.remove("managedFields");
            return;
        }
        FieldComparison comparison =
                FieldComparison.of(MergeSchemas.of(resource), isNew ? MergeSchemas.blank(resource) : before, next);
        FieldSet taken = comparison.changed();
        ignored().removeFrom(taken);
        owners.take(key("Update"), taken, comparison.removed());
        owners.add(key("Update"), taken, now);
        owners.mergeOldUpdates();
        owners.writeTo(metadata);
    }

    /**
     * Those that a client sends count if they can be read, and are of the object itself: {@code decodeLiveOrNew}. None
     * count as forgotten, not as given up.
     */
    private ManagedFields owners(ObjectNode before, JsonNode sent) {
        if (!subresource.isEmpty()) {
            return ManagedFields.of(before);
        }
        if (isReset(sent)) {
            return ManagedFields.parse(Json.array());
        }
        boolean counts = !sent.isEmpty()
                && !JsonEquality.same(sent, before.path("metadata").path("managedFields"))
                && ManagedFields.problem(sent).isEmpty();
        return counts ? ManagedFields.parse(sent) : ManagedFields.of(before);
    }

    /** An empty list, or one empty entry, gives up the tracking. */
    private static boolean isReset(JsonNode sent) {
        return sent instanceof ArrayNode array
                && (array.isEmpty() || (array.size() == 1 && array.get(0).isEmpty()));
    }

    /** Gives an object the managedFields of another one. */
    public static void copy(ObjectNode from, ObjectNode to) {
        ManagedFields.copy(from, to);
    }

    /**
     * Keeps the managedFields of a stored object that a write does not change but for their times, so that it is not
     * stored: fields that webhooks or the server set back are recorded before that.
     * {@code IgnoreManagedFieldsTimestampsTransformer} in {@code pkg/endpoints/handlers/fieldmanager/equality.go} of
     * the apiserver library, v1.33.
     *
     * @param next what is to be stored
     */
    public static void keepTimes(ObjectNode before, ObjectNode next) {
        ManagedFields.keepTimes(before, next);
    }

    /**
     * Restores managedFields that webhooks have made unreadable:
     * {@code pkg/endpoints/handlers/fieldmanager/admission.go} of the apiserver library, v1.33.
     *
     * @param before the object that the webhooks got
     * @param mutated what they made of it
     * @return the warning for the client; empty if they can be read
     */
    public static Optional<String> restoreUnreadable(ObjectNode before, ObjectNode mutated) {
        JsonNode list = mutated.path("metadata").path("managedFields");
        if (list.isArray() && list.isEmpty()) {
            Json.child(mutated, "metadata").remove("managedFields");
        }
        Optional<String> problem = ManagedFields.problem(list);
        if (problem.isPresent()) {
            ManagedFields.copy(before, mutated);
        }
        return problem.map(each -> ".metadata.managedFields was in an invalid state after admission; this could be"
                + " caused by an outdated mutating admission controller; please fix your requests: " + each);
    }

    /** The result of an apply. */
    public record Applied(ObjectNode object, boolean changed) {}

    /**
     * Merges a configuration into an object; 409 with all conflicts if others own what it changes, unless forced.
     *
     * @param live the present object, empty if there is none
     */
    public Applied apply(ObjectNode live, ObjectNode configuration, boolean force) {
        return new ServerSideApply(resource, ignored(), key("Apply"), now).apply(live, configuration, force);
    }

    /** A copy of what is at dotted paths, and of nothing else; {@code name[]} is each element of a list. */
    private static ObjectNode picked(JsonNode object, List<String> paths) {
        ObjectNode picked = Json.object();
        byFirstName(paths).forEach((name, below) -> {
            JsonNode part = object.path(name);
            if (below.isEmpty() && !part.isMissingNode()) {
                picked.set(name, part.deepCopy());
            } else if (part instanceof ArrayNode array) {
                ArrayNode elements = picked.putArray(name);
                array.forEach(element -> elements.add(picked(element, below)));
            } else if (part.isObject()) {
                picked.set(name, picked(part, below));
            }
        });
        return picked;
    }

    /**
     * An object with the values at dotted paths as they were sent, because nobody owns the fields that the server sets
     * itself; it shares all else with the given one.
     */
    private static ObjectNode restored(ObjectNode object, JsonNode sent, List<String> paths) {
        ObjectNode restored = Json.object().setAll(object);
        byFirstName(paths).forEach((name, below) -> {
            JsonNode former = sent.path(name);
            JsonNode part = object.path(name);
            if (below.isEmpty()) {
                leave(restored, name, sent.get(name));
            } else if (part instanceof ArrayNode array) {
                ArrayNode elements = Json.array();
                array.forEach(element -> elements.add(
                        element instanceof ObjectNode child
                                ? restored(child, former.path(elements.size()), below)
                                : element));
                restored.set(name, elements);
            } else if (part instanceof ObjectNode child) {
                restored.set(name, restored(child, former, below));
            }
        });
        return restored;
    }

    private static Map<String, List<String>> byFirstName(List<String> paths) {
        Map<String, List<String>> byName = new LinkedHashMap<>();
        for (String path : paths) {
            int dot = path.indexOf('.');
            String first = dot < 0 ? path : path.substring(0, dot);
            String name = first.endsWith(EACH) ? first.substring(0, first.length() - EACH.length()) : first;
            List<String> below = byName.computeIfAbsent(name, each -> new ArrayList<>());
            if (dot >= 0) {
                below.add(path.substring(dot + 1));
            }
        }
        return byName;
    }

    private static void leave(ObjectNode target, String name, @Nullable JsonNode value) {
        if (value == null) {
            target.remove(name);
        } else {
            target.set(name, value);
        }
    }

    /**
     * One server-side apply (KEP-555): merges a configuration into an object, removes what the manager no longer
     * applies, and moves the ownership of what changes. Follows {@code merge/update.go} of structured-merge-diff v4.6,
     * the version that Kubernetes v1.33 uses. Confined to one request.
     */
    private static final class ServerSideApply {
        private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
        private final Resource resource;
        private final IgnoredFields ignored;
        private final ManagerKey applier;
        private final String now;
        private final MergeSchema schema;

        /**
         * Prepares one apply.
         *
         * @param applier who applies
         * @param now the time of the write
         */
        ServerSideApply(Resource resource, IgnoredFields ignored, ManagerKey applier, String now) {
            this.resource = resource;
            this.ignored = ignored;
            this.applier = applier;
            this.now = now;
            schema = MergeSchemas.of(resource);
        }

        /**
         * Applies.
         *
         * @param live the present object, empty if there is none; it is not changed
         * @param force whether to take fields from their owners
         */
        FieldManager.Applied apply(ObjectNode live, ObjectNode configuration, boolean force) {
            ManagedFields owners = ManagedFields.of(live);
            ObjectNode base = withoutManagedFields(live);
            if (owners.isEmpty() && !live.isEmpty()) {
                owners.put(
                        new ManagerKey("before-first-apply", "Update", resource.apiVersion(), ""),
                        new OwnedFields(ownedBeforeFirstApply(base), now));
            }
            FieldSet wanted = new AppliedConfiguration(description(configuration)).fields(schema, configuration);
            ignored.removeFrom(wanted);
            OwnedFields former = owners.removeApplier(applier);
            ObjectNode merged = (ObjectNode) ConfigurationMerge.merge(schema, base, configuration);
            removeAbandoned(merged, former, owners, wanted);
            moveOwnership(base, merged, owners, force);
            boolean changed = !JsonEquality.same(base, merged);
            if (!wanted.isEmpty()) {
                owners.put(applier, new OwnedFields(wanted, changed ? now : former == null ? "" : former.time()));
            }
            owners.writeTo(Json.child(merged, "metadata"));
            return new FieldManager.Applied(merged, renewLastApplied(merged, configuration) || changed);
        }

        /**
         * Keeps the annotation of kubectl's own apply up to date, if it is there, so that kubectl may go back to it;
         * {@code pkg/util/managedfields/internal/lastappliedupdater.go} of apimachinery, v1.33.
         *
         * @return whether it has changed
         */
        private boolean renewLastApplied(ObjectNode merged, ObjectNode configuration) {
            String before = lastAppliedText(merged);
            if (before.isEmpty()) {
                return false;
            }
            ObjectNode applied = configuration.deepCopy();
            if (applied.path("metadata").path("annotations") instanceof ObjectNode annotations) {
                annotations.remove(LAST_APPLIED);
            }
            String text = asGoWrites(applied);
            ((ObjectNode) merged.path("metadata").path("annotations")).put(LAST_APPLIED, text);
            return !text.equals(before);
        }

        private static String asGoWrites(ObjectNode object) {
            String text = Json.text(SortedKeys.of(object)) + "\n";
            return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
        }

        /** What kubectl has applied by itself before; empty if it has not, or if somebody else applies. */
        private String lastAppliedText(ObjectNode object) {
            return applier.manager().equals("kubectl")
                    ? Json.string(object, "metadata", "annotations", LAST_APPLIED)
                    : "";
        }

        private static ObjectNode withoutManagedFields(ObjectNode live) {
            ObjectNode copy = live.deepCopy();
            if (copy.has("metadata")) {
                Json.child(copy, "metadata").remove("managedFields");
            }
            return copy;
        }

        /**
         * What was there before anybody applied belongs to a manager of its own;
         * {@code pkg/util/managedfields/internal/skipnonapplied.go}.
         */
        private FieldSet ownedBeforeFirstApply(ObjectNode live) {
            FieldSet all = FieldComparison.of(schema, MergeSchemas.blank(resource), live)
                    .changed();
            new IgnoredFields(resource, "").removeFrom(all);
            return all;
        }

        /**
         * Names the object as error messages do; objectGVKNN of
         * {@code pkg/util/managedfields/internal/structuredmerge.go}.
         */
        private String description(ObjectNode configuration) {
            return Json.string(configuration, "metadata", "namespace") + "/"
                    + Json.string(configuration, "metadata", "name") + "; " + resource.apiVersion() + ", Kind="
                    + resource.kind();
        }

        private void removeAbandoned(
                ObjectNode merged, @Nullable OwnedFields former, ManagedFields others, FieldSet wanted) {
            if (former != null) {
                List<FieldSet> owners = new ArrayList<>(others.fieldSets());
                owners.add(wanted);
                new AbandonedFields(owners).removeFrom(merged, schema, former.fields());
            }
        }

        private void moveOwnership(ObjectNode base, ObjectNode merged, ManagedFields others, boolean force) {
            FieldComparison comparison = FieldComparison.of(schema, base, merged);
            FieldSet taken = comparison.changed();
            ignored.removeFrom(taken);
            taken.removeAll(nulls(merged, taken));
            FieldSet contested = taken.copy();
            contested.removeAll(lastApplied(base));
            ApplyConflicts conflicts = ApplyConflicts.between(others, contested);
            if (!conflicts.isEmpty() && !force) {
                throw conflicts.refusal();
            }
            others.take(applier, taken, comparison.removed());
        }

        /**
         * What kubectl has applied by itself before, as its annotation says: it may go on to do so at the server,
         * without a conflict with its former self; {@code pkg/util/managedfields/internal/lastappliedmanager.go} of
         * apimachinery, v1.33.
         */
        private FieldSet lastApplied(ObjectNode live) {
            String text = lastAppliedText(live);
            try {
                return !text.isEmpty() && Json.parse(text) instanceof ObjectNode configuration
                        ? new AppliedConfiguration(description(configuration)).fields(schema, configuration)
                        : new FieldSet();
            } catch (ApiException | DecodingException | JacksonException e) {
                return new FieldSet(); // anybody may write the annotation
            }
        }

        /** Removing all content of an object leaves null. No manager set that null, so nobody owns it. */
        private static FieldSet nulls(ObjectNode merged, FieldSet taken) {
            FieldSet nulls = new FieldSet();
            for (List<String> path : taken.paths()) {
                JsonNode found = merged;
                for (String name : path) {
                    found = name.startsWith("f:") ? found.path(name.substring(2)) : Json.missing();
                }
                if (found.isNull()) {
                    nulls.add(path);
                }
            }
            return nulls;
        }

        /**
         * The fields that an apply wants to change although other managers own them: 409 unless the apply is forced.
         * Follows {@code pkg/util/managedfields/internal/conflict.go} of apimachinery, v1.33.
         */
        private static final class ApplyConflicts {
            private final Map<ManagerKey, List<String>> fieldsByOwner = new LinkedHashMap<>();

            /**
             * Finds the conflicts.
             *
             * @param others the fields of all managers but the one that applies
             * @param changed the fields that the apply changes
             */
            static ApplyConflicts between(ManagedFields others, FieldSet changed) {
                ApplyConflicts conflicts = new ApplyConflicts();
                others.entries().forEach((owner, owned) -> {
                    List<List<String>> paths =
                            owned.fields().intersection(changed).paths();
                    if (!paths.isEmpty()) {
                        conflicts.fieldsByOwner.put(
                                owner, paths.stream().map(PathElements::shown).toList());
                    }
                });
                return conflicts;
            }

            boolean isEmpty() {
                return fieldsByOwner.isEmpty();
            }

            /** The answer to the client, with one cause for each field. */
            ApiException refusal() {
                ObjectNode details = Json.object();
                ArrayNode causes = details.putArray("causes");
                fieldsByOwner.forEach((owner, fields) -> fields.forEach(field -> causes.addObject()
                        .put("reason", "FieldManagerConflict")
                        .put("message", "conflict with " + description(owner))
                        .put("field", field)));
                return ApiException.of(409, "Conflict", message(causes.size()), details, true);
            }

            private String message(int count) {
                if (count == 1) {
                    Map.Entry<ManagerKey, List<String>> only =
                            fieldsByOwner.entrySet().iterator().next();
                    return "Apply failed with 1 conflict: conflict with " + description(only.getKey()) + ": "
                            + only.getValue().getFirst();
                }
                List<String> lines = new ArrayList<>();
                fieldsByOwner.forEach((owner, fields) -> {
                    lines.add("conflicts with " + description(owner) + ":");
                    fields.forEach(field -> lines.add("- " + field));
                });
                return "Apply failed with " + count + " conflicts: " + String.join("\n", lines);
            }

            private static String description(ManagerKey owner) {
                String subresource =
                        owner.subresource().isEmpty() ? "" : " with subresource \"" + owner.subresource() + "\"";
                String version = owner.applies() ? "" : " using " + owner.apiVersion();
                return "\"" + owner.manager() + "\"" + subresource + version;
            }
        }

        /**
         * Removes the fields that a manager no longer applies, unless another manager owns them. Follows the pruning of
         * {@code merge/update.go} of structured-merge-diff v4.6.
         */
        private static final class AbandonedFields {
            private final Collection<FieldSet> owners;

            /**
             * Keeps what is owned.
             *
             * @param owners what the managers own, the one that applies included
             */
            AbandonedFields(Collection<FieldSet> owners) {
                this.owners = owners;
            }

            /** Removes in place the parts of the former set of which nobody owns anything. */
            void removeFrom(JsonNode value, MergeSchema schema, FieldSet former) {
                below(schema, value, former, List.of());
            }

            private void below(MergeSchema schema, JsonNode value, FieldSet former, List<String> path) {
                Map<String, List<JsonNode>> parts = PathElements.parts(schema, value);
                Set<String> abandoned = new HashSet<>();
                for (Map.Entry<String, FieldSet> entry : former.children().entrySet()) {
                    String name = entry.getKey();
                    List<String> place = new ArrayList<>(path);
                    place.add(name);
                    if (!owned(place)) {
                        abandoned.add(name);
                        continue;
                    }
                    for (JsonNode part : parts.getOrDefault(name, List.of())) {
                        boolean full = !part.isEmpty();
                        below(PathElements.shape(schema, name), part, entry.getValue(), place);
                        if (full && part.isEmpty() && part.isObject() && value instanceof ObjectNode object) {
                            object.putNull(name.substring(2)); // a real server leaves null where it took everything
                        }
                    }
                }
                remove(schema, value, abandoned);
            }

            private boolean owned(List<String> path) {
                return path.equals(List.of("f:metadata"))
                        || owners.stream().anyMatch(set -> {
                            FieldSet found = set.find(path);
                            return found != null && !found.isEmpty();
                        });
            }

            private static void remove(MergeSchema schema, JsonNode value, Set<String> names) {
                if (value instanceof ObjectNode object) {
                    names.forEach(name -> object.remove(name.substring(2)));
                } else if (value instanceof ArrayNode array && !names.isEmpty()) {
                    array.removeIf(element -> names.contains(PathElements.name(schema, element)));
                }
            }
        }

        /**
         * Merges an applied configuration into a live object. Follows {@code typed/merge.go} of structured-merge-diff
         * v4.6. Pure: it changes neither of them.
         */
        private static final class ConfigurationMerge {
            private ConfigurationMerge() {}

            static JsonNode merge(MergeSchema schema, JsonNode live, JsonNode configuration) {
                return switch (schema.structure()) {
                    case NONE -> configuration.deepCopy();
                    case FIELDS, ANY ->
                        live instanceof ObjectNode object && configuration instanceof ObjectNode other
                                ? objects(schema, object, other)
                                : configuration.deepCopy();
                    case KEYED, SET ->
                        live instanceof ArrayNode array && configuration instanceof ArrayNode other
                                ? lists(schema, array, other)
                                : configuration.deepCopy();
                };
            }

            private static ObjectNode objects(MergeSchema schema, ObjectNode live, ObjectNode configuration) {
                ObjectNode merged = live.deepCopy();
                for (Map.Entry<String, JsonNode> entry : configuration.properties()) {
                    JsonNode present = live.get(entry.getKey());
                    MergeSchema below = schema.field(entry.getKey()).orElse(MergeSchema.UNKNOWN);
                    merged.set(
                            entry.getKey(),
                            present == null ? entry.getValue().deepCopy() : merge(below, present, entry.getValue()));
                }
                return merged;
            }

            /**
             * Applied elements keep the configuration's order; the others stand among them where they stood before. An
             * applied element is there once, and has nothing of former ones that share its name.
             */
            private static ArrayNode lists(MergeSchema schema, ArrayNode live, ArrayNode configuration) {
                Map<String, List<JsonNode>> applied = PathElements.parts(schema, configuration);
                Map<String, List<JsonNode>> present = PathElements.parts(schema, live);
                List<String> order = List.copyOf(applied.keySet());
                ArrayNode merged = Json.array();
                int next = 0;
                int shared = 0; // the next one that was there before
                for (JsonNode element : live) {
                    String name = PathElements.name(schema, element);
                    while (shared < order.size() && (shared < next || !present.containsKey(order.get(shared)))) {
                        shared++;
                    }
                    if (!applied.containsKey(name)) {
                        merged.add(element.deepCopy());
                        continue;
                    }
                    boolean inTurn = shared < order.size() && order.get(shared).equals(name);
                    int until = inTurn ? shared + 1 : shared < order.size() ? next : Math.min(next + 1, shared);
                    for (; next < until; next++) {
                        merged.add(element(schema, present, applied, order.get(next)));
                    }
                }
                for (; next < order.size(); next++) {
                    merged.add(element(schema, present, applied, order.get(next)));
                }
                return merged;
            }

            private static JsonNode element(
                    MergeSchema schema,
                    Map<String, List<JsonNode>> present,
                    Map<String, List<JsonNode>> applied,
                    String name) {
                JsonNode element = Objects.requireNonNull(applied.get(name)).getFirst();
                List<JsonNode> former = present.getOrDefault(name, List.of());
                return former.size() == 1 ? merge(schema.element(), former.getFirst(), element) : element.deepCopy();
            }
        }
    }
}
