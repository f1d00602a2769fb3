package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What somebody says of one condition. It does not matter what the condition was before: the change can be made to any
 * state of the object. Immutable.
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
        JsonNode since = before != null && before.path("status").equals(said.path("status")) ? before.get(TIME) : null;
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
