package dev.kopf4j.engine.children;

import dev.kopf4j.engine.children.live.Digests;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition of a parent that tells how its children are. Immutable.
 *
 * @param now the time of a transition
 * @param type the type of the condition
 * @see <a
 *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
 *     conventions: conditions</a>
 */
record ChildrenCondition(Instant now, String type) {
    private static final int SHOWN_MAX = 5;
    private static final int MESSAGE_MAX = 1000;

    /** Adds the condition to the patch, unless the parent has it as it should be. */
    void write(ResourceObject parent, List<ChildOutcome> outcomes, ChildrenMemory memory, PatchContent patch) {
        ObjectNode wanted = condition(outcomes, parent.node());
        ObjectNode present = find(parent.node());
        if (present != null && isSame(present, wanted)) {
            return;
        }
        long digest = Digests.of(wanted);
        if (present == null && memory.hasWritten(digest)) {
            // The definition of the parent's kind drops it: nothing is gained by writing it again and again.
            return;
        }
        memory.written(digest);
        patch.transform(PatchTransformation.frameworkPatch(body -> put(body, wanted)));
    }

    private ObjectNode condition(List<ChildOutcome> outcomes, ObjectNode parent) {
        List<ChildOutcome> unready =
                outcomes.stream().filter(outcome -> !outcome.isReady()).toList();
        ChildOutcome first = unready.stream()
                .filter(ChildOutcome::hasFailed)
                .findFirst()
                .orElse(unready.isEmpty() ? null : unready.getFirst());
        ObjectNode condition = Json.object();
        condition.put("type", type);
        condition.put("status", first == null ? "True" : "False");
        condition.put("reason", first == null ? "ChildrenReady" : first.reason());
        condition.put("message", first == null ? "" : message(unready));
        JsonNode generation = parent.path("metadata").path("generation");
        if (generation.isNumber()) {
            condition.set("observedGeneration", generation);
        }
        return condition;
    }

    private static String message(List<ChildOutcome> unready) {
        String shown = unready.stream()
                .limit(SHOWN_MAX)
                .map(outcome -> outcome.title() + ": " + outcome.trouble())
                .collect(Collectors.joining("; "));
        int more = unready.size() - SHOWN_MAX;
        String all = more > 0 ? shown + "; and " + more + " more" : shown;
        return all.length() <= MESSAGE_MAX ? all : all.substring(0, MESSAGE_MAX) + "...";
    }

    private @Nullable ObjectNode find(ObjectNode body) {
        for (JsonNode condition : body.path("status").path("conditions")) {
            if (condition instanceof ObjectNode found
                    && found.path("type").asString("").equals(type)) {
                return found;
            }
        }
        return null;
    }

    private static boolean isSame(ObjectNode present, ObjectNode wanted) {
        return wanted.properties().stream()
                .allMatch(field -> field.getValue().equals(present.path(field.getKey()))
                        || field.getValue()
                                .asString("")
                                .equals(present.path(field.getKey()).asString("-")));
    }

    /** The time changes with the status only. */
    private void put(ObjectNode body, ObjectNode wanted) {
        ObjectNode status = body.withObject("/status");
        ArrayNode conditions =
                status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
        ObjectNode present = find(body);
        ObjectNode written = wanted.deepCopy();
        written.set("lastTransitionTime", transition(present, wanted));
        if (present == null) {
            conditions.add(written);
        } else {
            present.setAll(written);
        }
    }

    private JsonNode transition(@Nullable ObjectNode present, ObjectNode wanted) {
        JsonNode known = present != null && present.path("status").equals(wanted.path("status"))
                ? present.get("lastTransitionTime")
                : null;
        return known == null
                ? JsonNodeFactory.instance.stringNode(
                        now.truncatedTo(ChronoUnit.SECONDS).toString())
                : known;
    }
}
