package dev.kopf4j.devcluster.apply;

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
final class Managers {
    private final Map<Id, Entry> entries = new LinkedHashMap<>();

    /** Who writes how. */
    record Id(String manager, String operation, String apiVersion, String subresource) {
        boolean applies() {
            return operation.equals("Apply");
        }
    }

    /** What he owns, and since when; the time is empty when it is not told. */
    record Entry(FieldSet fields, String time) {}

    /** Reads the managedFields of an object. */
    static Managers parse(JsonNode managedFields) {
        Managers managers = new Managers();
        for (JsonNode node : managedFields) {
            Id id = new Id(
                    Json.string(node, "manager"),
                    Json.string(node, "operation"),
                    Json.string(node, "apiVersion"),
                    Json.string(node, "subresource"));
            if (!id.operation().isEmpty()) {
                managers.entries.put(id, new Entry(FieldSet.parse(node.path("fieldsV1")), Json.string(node, "time")));
            }
        }
        return managers;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    @Nullable Entry get(Id id) {
        return entries.get(id);
    }

    void put(Id id, Entry entry) {
        entries.put(id, entry);
    }

    Map<Id, Entry> entries() {
        return entries;
    }

    /** The entry of the same manager and operation in any version. */
    @Nullable Id applier(Id id) {
        return entries.keySet().stream()
                .filter(each -> each.applies()
                        && each.manager().equals(id.manager())
                        && each.subresource().equals(id.subresource()))
                .findFirst()
                .orElse(null);
    }

    void dropEmpty() {
        entries.values().removeIf(entry -> entry.fields().isEmpty());
    }

    /** Writes them in the order of the API: by operation, time, manager. */
    ArrayNode write() {
        List<Id> ids = new ArrayList<>(entries.keySet());
        ids.sort(Comparator.comparing(Id::operation)
                .thenComparing(
                        id -> java.util.Objects.requireNonNull(entries.get(id)).time())
                .thenComparing(Id::manager)
                .thenComparing(Id::apiVersion)
                .thenComparing(Id::subresource));
        ArrayNode array = Json.array();
        for (Id id : ids) {
            array.add(write(id, java.util.Objects.requireNonNull(entries.get(id))));
        }
        return array;
    }

    private static ObjectNode write(Id id, Entry entry) {
        ObjectNode node = Json.object();
        node.put("manager", id.manager()).put("operation", id.operation());
        node.put("apiVersion", id.apiVersion());
        if (!entry.time().isEmpty()) {
            node.put("time", entry.time());
        }
        node.put("fieldsType", "FieldsV1");
        node.set("fieldsV1", entry.fields().write());
        if (!id.subresource().isEmpty()) {
            node.put("subresource", id.subresource());
        }
        return node;
    }
}
