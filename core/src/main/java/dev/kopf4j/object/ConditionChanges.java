package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said of single conditions of an object, the last word on each. All other conditions stay as they are in the
 * state that the changes are made to. Confined as the {@link PatchContent} that has it.
 */
public final class ConditionChanges {
    /** Nobody has said anything. */
    static final ConditionChanges NONE = new ConditionChanges();

    private static final String FIELD = "conditions";

    private final Map<String, ConditionChange> byType = new LinkedHashMap<>();

    ConditionChanges() {}

    /** True if nothing is said. */
    public boolean isEmpty() {
        return byType.isEmpty();
    }

    void add(ConditionChange change) {
        byType.put(change.type(), change);
    }

    void forget(String type) {
        byType.remove(type);
    }

    void forgetAll(ConditionChanges others) {
        byType.keySet().removeAll(others.byType.keySet());
    }

    void addAll(ConditionChanges later) {
        later.byType.values().forEach(this::add);
    }

    /** The list of conditions in a status; empty if it has none. */
    private static ArrayNode listIn(ObjectNode body) {
        return body.path("status").get(FIELD) instanceof ArrayNode known
                ? known
                : Json.mapper().createArrayNode();
    }

    /** The conditions that an object has to get; null if it has them. */
    public @Nullable ArrayNode differenceTo(ObjectNode body) {
        if (byType.isEmpty()) {
            return null;
        }
        ArrayNode before = listIn(body);
        ArrayNode after = Json.mapper().createArrayNode();
        Map<String, ConditionChange> left = new LinkedHashMap<>(byType);
        for (JsonNode each : before) {
            ConditionChange change = left.remove(each.path("type").asString(""));
            JsonNode changed = change != null && each instanceof ObjectNode condition ? change.after(condition) : each;
            if (changed != null) {
                after.add(changed);
            }
        }
        for (ConditionChange change : left.values()) {
            ObjectNode added = change.after(null);
            if (added != null) {
                after.add(added);
            }
        }
        return JsonEquality.equal(before, after) ? null : after;
    }

    /** Returns the object with the changes; shares unchanged nodes with it. */
    public ObjectNode madeTo(ObjectNode body) {
        ArrayNode conditions = differenceTo(body);
        if (conditions == null) {
            return body;
        }
        ObjectNode changed = Json.object().setAll(body);
        ObjectNode status = body.get("status") instanceof ObjectNode known
                ? Json.object().setAll(known)
                : changed.putObject("status");
        status.set(FIELD, conditions);
        changed.set("status", status);
        return changed;
    }

    /**
     * What somebody says of one condition. It does not matter what the condition was before: the change can be made to
     * any state of the object. Immutable.
     *
     * @param type which condition
     * @param said its fields but for the time of the transition; null if the condition is to be removed
     * @param at the time of the transition, if it is one
     * @see <a
     *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
     *     conventions</a>
     */
    public record ConditionChange(String type, @Nullable ObjectNode said, Instant at) {
        private static final String GENERATION = "observedGeneration";
        private static final String TIME = "lastTransitionTime";

        /** The condition is to be removed. */
        static ConditionChange removal(String type) {
            return new ConditionChange(type, null, Instant.EPOCH);
        }

        /**
         * The condition is to be so.
         *
         * @param status {@code True}, {@code False} or {@code Unknown}
         * @param generation the object's generation, which the condition is about; null if it is not to be told
         */
        public static ConditionChange of(
                String type, String status, String reason, String message, @Nullable JsonNode generation, Instant now) {
            ObjectNode said = Json.object().put("type", type).put("status", status);
            if (generation != null) {
                said.set(GENERATION, generation);
            }
            return new ConditionChange(type, said.put("reason", reason).put("message", message), now);
        }

        /**
         * The condition after the change; null if there is none.
         *
         * @param before the condition before; null if there was none
         */
        @Nullable ObjectNode after(@Nullable ObjectNode before) {
            if (said == null) {
                return null;
            }
            JsonNode since =
                    before != null && before.path("status").equals(said.path("status")) ? before.get(TIME) : null;
            ObjectNode after = before == null ? Json.object() : before.deepCopy();
            if (!said.has(GENERATION)) {
                after.remove(GENERATION);
            }
            said.forEachEntry((key, value) -> {
                if (key.equals("reason")) {
                    setTime(after, since);
                }
                after.set(key, value);
            });
            return after;
        }

        private void setTime(ObjectNode condition, @Nullable JsonNode since) {
            if (since == null) {
                condition.put(TIME, at.truncatedTo(ChronoUnit.SECONDS).toString());
            } else {
                condition.set(TIME, since);
            }
        }
    }
}
