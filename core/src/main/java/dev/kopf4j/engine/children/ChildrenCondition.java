package dev.kopf4j.engine.children;

import dev.kopf4j.object.ConditionChanges.ConditionChange;

import dev.kopf4j.engine.children.live.Digests;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchContent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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
        ConditionChange change = change(outcomes, parent.observableGeneration());
        long digest = Digests.of(Objects.requireNonNull(change.said()));
        boolean present = isPresent(parent.node());
        if (!present && memory.hasWritten(digest)) {
            // The definition of the parent's kind drops it: nothing is gained by writing it again and again.
            return;
        }
        boolean written = patch.say(change, parent.node());
        memory.written(written && !present ? digest : 0);
    }

    private ConditionChange change(List<ChildOutcome> outcomes, @Nullable JsonNode generation) {
        List<ChildOutcome> unready =
                outcomes.stream().filter(outcome -> !outcome.isReady()).toList();
        ChildOutcome first = unready.stream()
                .filter(ChildOutcome::hasFailed)
                .findFirst()
                .orElse(unready.isEmpty() ? null : unready.getFirst());
        return first == null
                ? ConditionChange.of(type, "True", "ChildrenReady", "", generation, now)
                : ConditionChange.of(type, "False", first.reason(), message(unready), generation, now);
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

    private boolean isPresent(ObjectNode body) {
        for (JsonNode condition : body.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals(type)) {
                return true;
            }
        }
        return false;
    }
}
