package dev.kopf4j.engine.children;

import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.children.LiveChild.Applied;
import dev.kopf4j.engine.children.LiveChild.AppliedFields;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an object itself tells of how it is as a child, whatever its handler would say, which is not called. Immutable.
 *
 * <p>Which fields the operator has applied, and still owns, stands in the object's managed fields. Of what it applied
 * before it lost a field, nothing is kept but a digest: so of the fields that somebody else has set since, it is not
 * known which ones the handler says; of those that each child has, it is.
 *
 * @param handler the id of the handler that has made it, by its annotation; empty if no handler has
 * @param made true if the operator has applied it, or it says so itself
 * @param deleting true if its deletion was requested
 * @param lost the fields of each child that the operator does not own any more: it applies the child anew
 * @param taken fields that others have set since the operator applied the child, and that it does not own
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management">field
 *     management</a>
 */
public record ChildOutlook(String handler, boolean made, boolean deleting, List<String> lost, List<Taken> taken) {
    /** Copies the lists. */
    public ChildOutlook {
        lost = List.copyOf(lost);
        taken = List.copyOf(taken);
    }

    /**
     * Fields of another manager.
     *
     * @param manager its name
     * @param applies true if it applies: such fields are taken by force only
     * @param time since when, as the server has written it
     * @param fields which ones
     */
    public record Taken(String manager, boolean applies, String time, List<String> fields) {
        /** Copies the list. */
        public Taken {
            fields = List.copyOf(fields);
        }
    }

    /** Of an object, as a child of an operator that applies by that name. */
    public static ChildOutlook of(ObjectNode body, String fieldManager) {
        ObjectNode own = AppliedFields.of(body, fieldManager);
        String handler = Applied.of(body).handler();
        boolean made = own != null || !handler.isEmpty();
        return new ChildOutlook(
                handler,
                made,
                DeletionState.isRequested(body),
                made ? lost(own == null ? Json.object() : own) : List.of(),
                made ? taken(body, fieldManager, own == null ? Json.object() : own) : List.of());
    }

    private static List<String> lost(JsonNode own) {
        JsonNode meta = own.path("f:metadata");
        List<String> lost = new ArrayList<>();
        if (!meta.path("f:annotations").has("f:" + ChildMarks.APPLIED)) {
            lost.add("metadata.annotations." + ChildMarks.APPLIED);
        }
        if (!meta.path("f:labels").has("f:" + ChildMarks.MANAGED_BY)) {
            lost.add("metadata.labels." + ChildMarks.MANAGED_BY);
        }
        if (meta.path("f:ownerReferences").isEmpty()) {
            lost.add("metadata.ownerReferences");
        }
        return lost;
    }

    private static List<Taken> taken(ObjectNode body, String fieldManager, JsonNode own) {
        JsonNode managed = body.path("metadata").path("managedFields");
        String since = managed.valueStream()
                .filter(each -> isOf(each, fieldManager))
                .map(each -> each.path("time").asString(""))
                .max(String::compareTo)
                .orElse("");
        List<Taken> taken = new ArrayList<>();
        for (JsonNode entry : managed.values()) {
            String time = entry.path("time").asString("");
            boolean later = time.compareTo(since) >= 0;
            if (later
                    && !isOf(entry, fieldManager)
                    && entry.path("subresource").asString("").isEmpty()) {
                List<String> fields = new ArrayList<>();
                addOthers(entry.path("fieldsV1"), own, "", fields);
                if (!fields.isEmpty()) {
                    boolean applies = entry.path("operation").asString("").equals("Apply");
                    taken.add(new Taken(entry.path("manager").asString(""), applies, time, fields));
                }
            }
        }
        return taken;
    }

    private static boolean isOf(JsonNode entry, String manager) {
        return entry.path("manager").asString("").equals(manager)
                && entry.path("operation").asString("").equals("Apply");
    }

    /** The fields of a set, down to the innermost ones, that are not in another set. */
    private static void addOthers(JsonNode fields, JsonNode own, String path, List<String> found) {
        for (Map.Entry<String, JsonNode> each : fields.properties()) {
            String key = each.getKey();
            if (!key.equals(".")) {
                JsonNode ours = own.path(key);
                boolean innermost = each.getValue().propertyNames().stream().allMatch(name -> name.equals("."));
                if (!innermost) {
                    addOthers(each.getValue(), ours, step(path, key), found);
                } else if (ours.isMissingNode()) {
                    found.add(step(path, key));
                }
            }
        }
    }

    /** {@code spec.containers[name=app].image}, as people write it. */
    private static String step(String path, String key) {
        String rest = key.substring(Math.min(2, key.length()));
        if (key.startsWith("f:")) {
            return path.isEmpty() ? rest : path + "." + rest;
        }
        if (!key.startsWith("k:")) {
            return path + "[" + rest + "]";
        }
        return path
                + Json.parse(rest).properties().stream()
                        .map(each -> each.getKey() + "=" + each.getValue().asString(""))
                        .collect(Collectors.joining(",", "[", "]"));
    }
}
