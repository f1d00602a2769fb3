package dev.kopf4j.object;

import dev.kopf4j.Conditions;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The conditions of an object, changed through the patch of a handler's call. Confined to the handler's thread. */
public final class ObjectConditions implements Conditions {
    private final Supplier<ObjectNode> body;
    private final PatchContent patch;
    private final Supplier<@Nullable JsonNode> generation;
    private final InstantSource clock;

    /**
     * Those of the object as it is, with the changes of the patch.
     *
     * @param body the object as the handler sees it: to daemons always its newest state
     * @param generation gives the one that conditions are about; null if it is not to be told
     */
    public ObjectConditions(
            Supplier<ObjectNode> body,
            Supplier<@Nullable JsonNode> generation,
            PatchContent patch,
            InstantSource clock) {
        this.body = body;
        this.generation = generation;
        this.patch = patch;
        this.clock = clock;
    }

    @Override
    public Conditions set(String type, boolean status, String reason, String message) {
        return put(type, status ? "True" : "False", reason, message);
    }

    @Override
    public Conditions setUnknown(String type, String reason, String message) {
        return put(type, "Unknown", reason, message);
    }

    private Conditions put(String type, String status, String reason, String message) {
        check(type, reason);
        return say(ConditionChange.of(type, status, reason, message, generation.get(), clock.instant()));
    }

    @Override
    public Conditions remove(String type) {
        return say(ConditionChange.removal(type));
    }

    private Conditions say(ConditionChange change) {
        patch.change(() -> {
            var _ = patch.say(change, body.get());
        });
        return this;
    }

    @Override
    public Optional<Condition> get(String type) {
        return all().stream().filter(each -> each.type().equals(type)).findFirst();
    }

    @Override
    public List<Condition> all() {
        return new JsonView(patch.preview(body.get()), "the object")
                .getViews("status.conditions").stream()
                        .filter(each -> each.has("type"))
                        .map(each -> each.as(Condition.class))
                        .toList();
    }

    /**
     * Refuses what the server would refuse later, where the schema is that of {@link Condition}.
     *
     * @throws IllegalArgumentException if the type or the reason is malformed
     */
    private static void check(String type, String reason) {
        if (!type.matches(Condition.TYPE_PATTERN)) {
            throw new IllegalArgumentException(
                    "the type of a condition is a word such as Ready, but not '" + type + "'");
        }
        if (!reason.matches(Condition.REASON_PATTERN)) {
            throw new IllegalArgumentException("the reason of the condition " + type
                    + " is one word such as RolledOut, but not '" + reason + "'; sentences go into the message");
        }
    }
}
