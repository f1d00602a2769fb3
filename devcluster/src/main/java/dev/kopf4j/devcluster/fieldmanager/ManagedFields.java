package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The managedFields of one object. Confined to one request. */
final class ManagedFields {
    private final Map<ManagerKey, OwnedFields> entries = new LinkedHashMap<>();

    /** Who writes how. */
    record ManagerKey(String manager, String operation, String apiVersion, String subresource) {
        boolean applies() {
            return operation.equals("Apply");
        }
    }

    /** What he owns, and since when; the time is empty when it is not told. */
    record OwnedFields(FieldSet fields, String time) {}

    /** Reads the managedFields of an object. */
    static ManagedFields parse(JsonNode managedFields) {
        ManagedFields managedFieldsOf = new ManagedFields();
        for (JsonNode node : managedFields) {
            ManagerKey managerKey = new ManagerKey(
                    Json.string(node, "manager"),
                    Json.string(node, "operation"),
                    Json.string(node, "apiVersion"),
                    Json.string(node, "subresource"));
            if (!managerKey.operation().isEmpty()) {
                managedFieldsOf.entries.put(
                        managerKey, new OwnedFields(FieldSet.parse(node.path("fieldsV1")), Json.string(node, "time")));
            }
        }
        return managedFieldsOf;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    @Nullable OwnedFields get(ManagerKey managerKey) {
        return entries.get(managerKey);
    }

    void put(ManagerKey managerKey, OwnedFields ownedFields) {
        entries.put(managerKey, ownedFields);
    }

    Map<ManagerKey, OwnedFields> entries() {
        return entries;
    }

    /** The entry of the same manager and operation in any version. */
    @Nullable ManagerKey applier(ManagerKey managerKey) {
        return entries.keySet().stream()
                .filter(each -> each.applies()
                        && each.manager().equals(managerKey.manager())
                        && each.subresource().equals(managerKey.subresource()))
                .findFirst()
                .orElse(null);
    }

    void dropEmpty() {
        entries.values().removeIf(ownedFields -> ownedFields.fields().isEmpty());
    }

    /** Writes them in the order of the API: by operation, time, manager. */
    ArrayNode write() {
        List<ManagerKey> ids = new ArrayList<>(entries.keySet());
        ids.sort(Comparator.comparing(ManagerKey::operation)
                .thenComparing(managerKey -> java.util.Objects.requireNonNull(entries.get(managerKey))
                        .time())
                .thenComparing(ManagerKey::manager)
                .thenComparing(ManagerKey::apiVersion)
                .thenComparing(ManagerKey::subresource));
        ArrayNode array = Json.array();
        for (ManagerKey managerKey : ids) {
            array.add(write(managerKey, java.util.Objects.requireNonNull(entries.get(managerKey))));
        }
        return array;
    }

    private static ObjectNode write(ManagerKey managerKey, OwnedFields ownedFields) {
        ObjectNode node = Json.object();
        node.put("manager", managerKey.manager()).put("operation", managerKey.operation());
        node.put("apiVersion", managerKey.apiVersion());
        if (!ownedFields.time().isEmpty()) {
            node.put("time", ownedFields.time());
        }
        node.put("fieldsType", "FieldsV1");
        node.set("fieldsV1", ownedFields.fields().write());
        if (!managerKey.subresource().isEmpty()) {
            node.put("subresource", managerKey.subresource());
        }
        return node;
    }
}
