package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Conditions;
import dev.kopf4j.Patch;
import dev.kopf4j.View;
import dev.kopf4j.crd.Condition;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of an object, changed through the patch of a handler's call. Confined to the handler's thread. */
public final class ObjectConditions implements Conditions {
    private static final String FIELD = "conditions";

    private final Body body;
    private final Patch patch;
    private final InstantSource clock;

    /** Those of the object as it is, with the changes of the patch. */
    public ObjectConditions(Body body, Patch patch, InstantSource clock) {
        this.body = body;
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
        ConditionRules.check(type, reason);
        List<Object> conditions = new ArrayList<>(list());
        int index = indexOf(conditions, type);
        Map<?, ?> before = index < 0 ? Map.of() : (Map<?, ?>) conditions.get(index);
        Map<String, @Nullable Object> after = new LinkedHashMap<>();
        before.forEach((key, value) -> after.put((String) key, value));
        after.put("type", type);
        after.put("status", status);
        body.meta().get("generation").ifPresent(generation -> after.put("observedGeneration", generation));
        if (!status.equals(before.get("status")) || before.get("lastTransitionTime") == null) {
            after.put(
                    "lastTransitionTime",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        after.put("reason", reason);
        after.put("message", message);
        if (index >= 0) {
            conditions.set(index, after);
        } else {
            conditions.add(after);
        }
        return write(conditions);
    }

    @Override
    public Conditions remove(String type) {
        List<Object> conditions = new ArrayList<>(list());
        int index = indexOf(conditions, type);
        if (index >= 0) {
            conditions.remove(index);
        }
        return write(conditions);
    }

    private Conditions write(List<Object> conditions) {
        if (!conditions.equals(list())) {
            patch.status().set(FIELD, conditions);
        }
        return this;
    }

    @Override
    public Optional<Condition> get(String type) {
        return all().stream().filter(each -> each.type().equals(type)).findFirst();
    }

    @Override
    public List<Condition> all() {
        return View.of(Map.of(FIELD, list())).getViews(FIELD).stream()
                .filter(each -> each.has("type"))
                .map(each -> each.as(Condition.class))
                .toList();
    }

    private List<?> list() {
        Map<String, @Nullable Object> changes = patch.status().toMap();
        return changes.containsKey(FIELD)
                ? (List<?>) Objects.requireNonNullElse(changes.get(FIELD), List.of())
                : body.status().getList(FIELD);
    }

    private static int indexOf(List<?> conditions, String type) {
        for (int index = 0; index < conditions.size(); index++) {
            if (conditions.get(index) instanceof Map<?, ?> condition && type.equals(condition.get("type"))) {
                return index;
            }
        }
        return -1;
    }
}
