package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The managedFields of one object: which manager owns which fields. Confined to one request. */
final class ManagedFields {
    private static final String NAME = "managedFields";
    private static final String FIELDS_TYPE = "FieldsV1";
    private static final Set<String> OPERATIONS = Set.of("Apply", "Update");
    /** {@code DefaultMaxUpdateManagers} in {@code internal/fieldmanager.go}. */
    private static final int MAX_UPDATES = 10;

    /** The order in which the API lists them. */
    private static final Comparator<Map.Entry<ManagerKey, OwnedFields>> ORDER = Comparator.comparing(
                    (Map.Entry<ManagerKey, OwnedFields> entry) -> entry.getKey().operation())
            .thenComparing(entry -> entry.getValue().time())
            .thenComparing(entry -> entry.getKey().manager())
            .thenComparing(entry -> entry.getKey().apiVersion())
            .thenComparing(entry -> entry.getKey().subresource());

    private final Map<ManagerKey, OwnedFields> entries = new LinkedHashMap<>();

    /** A manager, and how it writes. */
    record ManagerKey(String manager, String operation, String apiVersion, String subresource) {
        boolean applies() {
            return operation.equals("Apply");
        }

        /** True if both apply as the same manager, in whatever version. */
        boolean isSameApplier(ManagerKey other) {
            return applies()
                    && other.applies()
                    && manager.equals(other.manager)
                    && subresource.equals(other.subresource);
        }
    }

    /** What a manager owns, and when it last changed that; the time is empty if unknown. */
    record OwnedFields(FieldSet fields, String time) {}

    /** Those of a stored object. */
    static ManagedFields of(ObjectNode object) {
        return parse(object.path("metadata").path(NAME));
    }

    /** Reads a list that has no problem. */
    static ManagedFields parse(JsonNode list) {
        ManagedFields read = new ManagedFields();
        for (JsonNode node : list) {
            ManagerKey key = new ManagerKey(
                    Json.string(node, "manager"),
                    Json.string(node, "operation"),
                    Json.string(node, "apiVersion"),
                    Json.string(node, "subresource"));
            if (OPERATIONS.contains(key.operation())) {
                read.put(key, new OwnedFields(FieldSet.parse(node.path("fieldsV1")), Json.string(node, "time")));
            }
        }
        return read;
    }

    /** Why a list from outside cannot be read; empty if it can: {@code DecodeManagedFields}. */
    static Optional<String> problem(JsonNode list) {
        int index = 0;
        for (JsonNode entry : list) {
            Optional<String> problem = problem(entry, index++);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(JsonNode entry, int index) {
        String fieldsType = Json.string(entry, "fieldsType");
        if (!OPERATIONS.contains(Json.string(entry, "operation"))) {
            return Optional.of("operation must be `Apply` or `Update`");
        }
        if (Json.string(entry, "apiVersion").isEmpty()) {
            return Optional.of("apiVersion must not be empty");
        }
        if (!fieldsType.equals(FIELDS_TYPE)) {
            return Optional.of(
                    fieldsType.isEmpty()
                            ? "missing fieldsType in managed fields entry " + index
                            : "invalid fieldsType \"" + fieldsType + "\" in managed fields entry " + index);
        }
        return FieldSet.problem(entry.path("fieldsV1"))
                .map(each -> "error decoding versioned set from " + Json.text(entry) + ": error decoding set: " + each);
    }

    /** Gives an object the managedFields of another. */
    static void copy(ObjectNode from, ObjectNode to) {
        JsonNode list = from.path("metadata").path(NAME);
        ObjectNode metadata = Json.child(to, "metadata");
        if (list.isMissingNode()) {
            metadata.remove(NAME);
        } else {
            metadata.set(NAME, list);
        }
    }

    /** Gives an object the former ones, if neither they nor the rest of the object differ but for times. */
    static void keepTimes(ObjectNode before, ObjectNode next) {
        JsonNode former = before.path("metadata").path(NAME);
        JsonNode list = next.path("metadata").path(NAME);
        boolean renewed = !JsonEquality.same(former, list) && JsonEquality.same(timeless(former), timeless(list));
        if (renewed) {
            copy(before, next);
            if (!JsonEquality.same(before, next)) {
                Json.child(next, "metadata").set(NAME, list);
            }
        }
    }

    private static ArrayNode timeless(JsonNode list) {
        ArrayNode timeless = Json.array();
        for (JsonNode entry : list) {
            ObjectNode copy = timeless.addObject();
            entry.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
            copy.remove("time");
        }
        return timeless;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Map<ManagerKey, OwnedFields> entries() {
        return entries;
    }

    Collection<FieldSet> fieldSets() {
        return entries.values().stream().map(OwnedFields::fields).toList();
    }

    void put(ManagerKey manager, OwnedFields owned) {
        entries.put(manager, owned);
    }

    /** Gives a manager more fields, if there are any; the set is kept. */
    void add(ManagerKey manager, FieldSet fields, String now) {
        if (!fields.isEmpty()) {
            OwnedFields former = entries.get(manager);
            if (former != null) {
                fields.addAll(former.fields());
            }
            put(manager, new OwnedFields(fields, now));
        }
    }

    /** Removes what the manager has applied so far, in whatever version; null if it has not. */
    @Nullable OwnedFields removeApplier(ManagerKey applier) {
        return entries.keySet().stream()
                .filter(applier::isSameApplier)
                .findFirst()
                .map(entries::remove)
                .orElse(null);
    }

    /** Takes fields from all managers but one, and fields that are gone from all. */
    void take(ManagerKey own, FieldSet taken, FieldSet gone) {
        entries.forEach((manager, owned) -> {
            if (!manager.equals(own)) {
                owned.fields().removeAll(taken);
            }
            owned.fields().removeAll(gone);
        });
        entries.values().removeIf(owned -> owned.fields().isEmpty());
    }

    /**
     * Merges the oldest entries of updates into one for each version, until no more than ten are left:
     * {@code pkg/util/managedfields/internal/capmanagers.go} of apimachinery, v1.33.
     */
    void mergeOldUpdates() {
        if (entries.size() <= MAX_UPDATES) {
            return;
        }
        List<ManagerKey> updates = entries.entrySet().stream()
                .filter(entry -> !entry.getKey().applies())
                .sorted(ORDER)
                .map(Map.Entry::getKey)
                .toList();
        int left = updates.size();
        Map<String, ManagerKey> oldest = new HashMap<>();
        for (ManagerKey update : updates) {
            if (left <= MAX_UPDATES) {
                return;
            }
            ManagerKey first = oldest.putIfAbsent(update.apiVersion(), update);
            if (first != null) {
                merge(first, update);
                left--;
            }
        }
    }

    private void merge(ManagerKey first, ManagerKey update) {
        ManagerKey ancient = new ManagerKey("ancient-changes", "Update", update.apiVersion(), "");
        OwnedFields merged = Objects.requireNonNull(entries.remove(update));
        OwnedFields former = Objects.requireNonNull(entries.remove(entries.containsKey(ancient) ? ancient : first));
        merged.fields().addAll(former.fields());
        put(ancient, merged);
    }

    /** Sets them in an object's metadata. */
    void writeTo(ObjectNode metadata) {
        if (isEmpty()) {
            metadata.remove(NAME);
            return;
        }
        ArrayNode list = metadata.putArray(NAME);
        List<Map.Entry<ManagerKey, OwnedFields>> sorted =
                entries.entrySet().stream().sorted(ORDER).toList();
        sorted.forEach(entry -> list.add(write(entry.getKey(), entry.getValue())));
    }

    private static ObjectNode write(ManagerKey manager, OwnedFields owned) {
        ObjectNode node = Json.object();
        node.put("manager", manager.manager()).put("operation", manager.operation());
        node.put("apiVersion", manager.apiVersion());
        if (!owned.time().isEmpty()) {
            node.put("time", owned.time());
        }
        node.put("fieldsType", FIELDS_TYPE);
        node.set("fieldsV1", owned.fields().write());
        if (!manager.subresource().isEmpty()) {
            node.put("subresource", manager.subresource());
        }
        return node;
    }
}
