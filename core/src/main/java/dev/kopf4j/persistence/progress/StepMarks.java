package dev.kopf4j.persistence.progress;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.EssencePruner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an object remembers of the steps of its handlers when their progress is gone: what can be taken back, and how
 * often a handler has ended that has steps, so that each time has idempotency keys of its own.
 *
 * <p>Each is an annotation of its own below the prefix of the operator's progress, so that nobody overwrites what
 * another one writes at the same time. Immutable.
 */
public final class StepMarks {
    private static final String UNDOABLE = "undo-step";
    private static final String RUNS = "step-runs";

    private final AnnotationRecords records;

    /** Those below a prefix. */
    public StepMarks(String prefix) {
        this.records = new AnnotationRecords(new AnnotationKeys(prefix, false), UnreadableStateListener.LOGGED);
    }

    /**
     * A step that can be taken back. Immutable.
     *
     * @param id the id of the step with that of its handler: {@code createFn/create-db}
     * @param name the name of the step
     * @param key what it was made for; empty for nothing in particular
     * @param order steps of higher numbers were made later
     * @param known what is known of it
     * @param told true if people were told that nobody knows whether it was made
     */
    public record Undoable(String id, String name, String key, long order, ProgressRecord.Step known, boolean told) {
        /** The same, and people were told that nobody knows whether it was made. */
        public Undoable toldOf() {
            return new Undoable(id, name, key, order, known, true);
        }
    }

    /** Those that can be taken back, the last one first. */
    public List<Undoable> undoables(ObjectNode body) {
        List<Undoable> found = new ArrayList<>();
        String begin = records.keys().prefix() + "/" + UNDOABLE + ".";
        body.path("metadata").path("annotations").forEachEntry((annotation, text) -> {
            Undoable each = annotation.startsWith(begin) ? parse(text) : null;
            // A Deployment's annotations are copied to its ReplicaSets, whose own ones have other names.
            if (each != null && records.names(key(each.id()), body).contains(annotation)) {
                found.add(each);
            }
        });
        found.sort(Comparator.comparingLong(Undoable::order)
                .thenComparing(Undoable::id)
                .reversed());
        return found;
    }

    private static @Nullable Undoable parse(JsonNode text) {
        try {
            JsonNode json = Json.parse(text.asString(""));
            JsonNode result = json.get("result");
            return json.path("id").isString()
                    ? new Undoable(
                            json.path("id").asString(),
                            json.path("name").asString(""),
                            json.path("key").asString(""),
                            json.path("order").asLong(0),
                            new ProgressRecord.Step(json.path("intent").asBoolean(false), result),
                            json.path("told").asBoolean(false))
                    : null;
        } catch (JsonConversionException e) {
            // A handler's own record may have such a name: it is none of these.
            return null;
        }
    }

    private static String key(String id) {
        return UNDOABLE + "/" + id;
    }

    /** The order of the next step that can be taken back. */
    public long nextOrder(ObjectNode body) {
        List<Undoable> known = undoables(body);
        return known.isEmpty() ? 1 : known.getFirst().order() + 1;
    }

    /** Adds to the patch that a step can be taken back. */
    public void keep(Undoable step, ObjectNode body, ObjectNode patch) {
        ObjectNode json = Json.object();
        json.put("id", step.id());
        json.put("name", step.name());
        if (!step.key().isEmpty()) {
            json.put("key", step.key());
        }
        json.put("order", step.order());
        if (step.known().intent()) {
            json.put("intent", true);
        }
        if (step.told()) {
            json.put("told", true);
        }
        if (step.known().result() != null) {
            json.set("result", step.known().result());
        }
        records.write(key(step.id()), Json.text(json), body, patch);
    }

    /** Adds to the patch that there is nothing to be taken back of a step any more. */
    public void remove(String id, ObjectNode body, ObjectNode patch) {
        records.purge(key(id), body, patch);
    }

    /** How often the handler has ended after it had made steps. */
    public int runs(String handlerId, ObjectNode body) {
        Integer found = records.read(
                RUNS + "/" + handlerId, body, (json, annotation) -> json.isNumber() ? json.asInt(0) : null);
        return found == null ? 0 : found;
    }

    /** Adds to the patch that it has ended once more. */
    public void countRun(String handlerId, ObjectNode body, ObjectNode patch) {
        records.write(RUNS + "/" + handlerId, String.valueOf(runs(handlerId, body) + 1), body, patch);
    }

    /** The essence without all this. The given essence is not changed. */
    public ObjectNode clear(ObjectNode essence) {
        String begin = records.keys().prefix() + "/";
        return EssencePruner.withoutAnnotations(
                essence,
                annotation ->
                        annotation.startsWith(begin + UNDOABLE + ".") || annotation.startsWith(begin + RUNS + "."));
    }
}
