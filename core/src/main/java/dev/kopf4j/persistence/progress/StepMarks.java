package dev.kopf4j.persistence.progress;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.EssencePruner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an object remembers of the steps of its handlers when their progress is gone: what can be taken back, and how
 * often a handler has ended that has steps, so that each time has idempotency keys of its own.
 *
 * <p>Each is an annotation of its own below the prefix of the operator's progress, so that nobody overwrites what
 * another one writes at the same time. If the progress is stored in several places, so are they: what any of the places
 * tells is known, and all are written. Immutable.
 */
public final class StepMarks {
    private static final String UNDOABLE = "undo-step";
    private static final String RUNS = "step-runs";
    /** Behind the id of a handler: what is known of all its sub-handlers that have no number of their own. */
    private static final String SUB_HANDLERS = "/_sub-handlers";

    private final List<AnnotationRecords> places;

    /** Those below these prefixes, the preferred one first. */
    public StepMarks(List<String> prefixes) {
        this.places = prefixes.stream()
                .map(prefix -> new AnnotationRecords(new AnnotationKeys(prefix, false), UnreadableStateListener.LOGGED))
                .toList();
    }

    /**
     * A step that can be taken back. Immutable.
     *
     * @param id the id of the step with that of its handler: {@code createFn/create-db}
     * @param made tells its marks apart
     * @param name the name of the step
     * @param key what it was made for; empty for nothing in particular
     * @param order steps of higher numbers were made later
     * @param known what is known of it
     * @param told true if people were told that nobody knows whether it was made
     */
    public record Undoable(
            String id, Occurrence made, String name, String key, long order, ProgressRecord.Step known, boolean told) {
        /**
         * One of the times that a step was made.
         *
         * @param number tells the marks of runs apart that have had different results; 0 for the first one
         * @param run how often the handler had ended before: an intent is that of one run
         */
        public record Occurrence(int number, int run) {}

        /** The same, and people were told that nobody knows whether it was made. */
        public Undoable toldOf() {
            return new Undoable(id, made, name, key, order, known, true);
        }

        /** The id without the key: what is declared. */
        public String declared() {
            return key.isEmpty() ? id : id.substring(0, id.lastIndexOf('/'));
        }

        /** The id, other ones for further results: no step has such an id. */
        public String distinctId() {
            return made.number == 0 ? id : id + "/_" + made.number;
        }

        private Undoable numbered(int other) {
            return new Undoable(id, new Occurrence(other, made.run), name, key, order, known, told);
        }

        /** True if a newer mark of the step tells the same, or what has come of the intent of the same run. */
        private boolean isReplacedBy(Undoable newer) {
            return known.intent()
                    ? made.run == newer.made.run
                    : (!newer.known.intent() && JsonEquality.equal(known.result(), newer.known.result()));
        }
    }

    /** Those that can be taken back, the last one first. */
    public List<Undoable> undoables(ObjectNode body) {
        Map<String, Undoable> known = new LinkedHashMap<>();
        for (AnnotationRecords records : places) {
            String begin = records.keys().prefix() + "/" + UNDOABLE + ".";
            body.path("metadata").path("annotations").forEachEntry((annotation, text) -> {
                Undoable each = annotation.startsWith(begin) ? parse(text) : null;
                // A Deployment's annotations are copied to its ReplicaSets, whose own ones have other names.
                if (each != null && records.names(key(each), body).contains(annotation)) {
                    known.putIfAbsent(each.distinctId(), each);
                }
            });
        }
        if (known.isEmpty()) {
            return List.of();
        }
        List<Undoable> found = new ArrayList<>(known.values());
        found.sort(Comparator.comparingLong(Undoable::order)
                .thenComparing(Undoable::id)
                .thenComparingInt(each -> each.made().number())
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
                            new Undoable.Occurrence(
                                    json.path("number").asInt(0),
                                    json.path("run").asInt(0)),
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

    private static String key(Undoable step) {
        return UNDOABLE + "/" + step.distinctId();
    }

    /** The order of the next step that can be taken back. */
    public long nextOrder(ObjectNode body) {
        List<Undoable> known = undoables(body);
        return known.isEmpty() ? 1 : known.getFirst().order() + 1;
    }

    /**
     * Adds to the patch that a step can be taken back. What earlier runs of its handler have made by it stays to be
     * taken back, too, if it is something else.
     */
    public void keep(Undoable made, ObjectNode body, ObjectNode patch) {
        List<Undoable> known = undoables(body).stream()
                .filter(each -> each.id().equals(made.id()))
                .toList();
        Undoable step = made.numbered(number(made, known));
        for (Undoable each : known) {
            if (each.isReplacedBy(made) && each.made().number() != step.made().number()) {
                remove(each, body, patch);
            }
        }
        ObjectNode json = Json.object();
        json.put("id", step.id());
        if (step.made().number() > 0) {
            json.put("number", step.made().number());
        }
        if (step.made().run() > 0) {
            json.put("run", step.made().run());
        }
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
        places.forEach(records -> records.write(key(step), Json.text(json), body, patch));
    }

    /** The first one that no other mark of the step has. */
    private static int number(Undoable made, List<Undoable> known) {
        Set<Integer> used = known.stream()
                .filter(each -> !each.isReplacedBy(made))
                .map(each -> each.made().number())
                .collect(Collectors.toSet());
        int free = 0;
        while (used.contains(free)) {
            free++;
        }
        return free;
    }

    /** Adds to the patch that there is nothing to be taken back any more. */
    public void remove(Undoable step, ObjectNode body, ObjectNode patch) {
        places.forEach(records -> records.purge(key(step), body, patch));
    }

    /** Adds to the patch that the call of a step, of which there was an intent in that run, has made nothing. */
    public void removeIntent(String id, int run, ObjectNode body, ObjectNode patch) {
        for (Undoable each : undoables(body)) {
            if (each.id().equals(id) && each.made().run() == run && each.known().intent()) {
                remove(each, body, patch);
            }
        }
    }

    /** How often the handler has ended after it had made steps. */
    public int runs(String handlerId, ObjectNode body) {
        Integer found = counted(handlerId, body);
        return found == null ? 0 : found;
    }

    /**
     * The same for a sub-handler: its own number as long as it has one, or else that of all of the outermost handler.
     */
    public int runs(String outermostId, String handlerId, ObjectNode body) {
        Integer own = counted(handlerId, body);
        return own == null ? runs(outermostId + SUB_HANDLERS, body) : own;
    }

    private @Nullable Integer counted(String id, ObjectNode body) {
        return places.stream()
                .map(records -> records.read(
                        RUNS + "/" + id, body, (json, annotation) -> json.isNumber() ? json.asInt(0) : null))
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** True if the sub-handler has ended since its outermost handler has; also if an earlier version has left that. */
    public boolean hasOwnNumber(String subHandlerId, ObjectNode body) {
        return counted(subHandlerId, body) != null;
    }

    /** Adds to the patch that it has ended once more. */
    public void countRun(String handlerId, ObjectNode body, ObjectNode patch) {
        count(handlerId, runs(handlerId, body) + 1, body, patch);
    }

    /** The same for a sub-handler, until its outermost handler has ended, too. */
    public void countRun(String outermostId, String handlerId, ObjectNode body, ObjectNode patch) {
        count(handlerId, runs(outermostId, handlerId, body) + 1, body, patch);
    }

    /**
     * Adds to the patch that the outermost handler has ended, and all its sub-handlers with it: one number stays that
     * none of them has had, however many come and go.
     */
    public void countRunOfAll(String outermostId, Collection<String> subHandlerIds, ObjectNode body, ObjectNode patch) {
        int next = runs(outermostId + SUB_HANDLERS, body);
        for (String id : subHandlerIds) {
            next = Math.max(next, runs(outermostId, id, body));
            places.forEach(records -> records.purge(RUNS + "/" + id, body, patch));
        }
        count(outermostId + SUB_HANDLERS, next + 1, body, patch);
    }

    private void count(String id, int runs, ObjectNode body, ObjectNode patch) {
        places.forEach(records -> records.write(RUNS + "/" + id, String.valueOf(runs), body, patch));
    }

    /** Adds to the patch what only some of the places tell: who moves to another place leaves the old one some day. */
    public void spread(ObjectNode body, ObjectNode patch) {
        if (places.size() == 1) {
            return;
        }
        JsonNode known = MergePatch.apply(body, patch).path("metadata").path("annotations");
        for (AnnotationRecords from : places) {
            known.forEachEntry((annotation, text) -> {
                if (isIn(from, annotation)) {
                    String name = annotation.substring(from.keys().prefix().length());
                    places.stream()
                            .map(to -> to.keys().prefix() + name)
                            .filter(other -> !known.has(other))
                            .forEach(other -> FieldPath.of("metadata", "annotations", other)
                                    .ensure(patch, text));
                }
            });
        }
    }

    /** The essence without all this. The given essence is not changed. */
    public ObjectNode clear(ObjectNode essence) {
        return EssencePruner.withoutAnnotations(
                essence, annotation -> places.stream().anyMatch(records -> isIn(records, annotation)));
    }

    private static boolean isIn(AnnotationRecords records, String annotation) {
        String begin = records.keys().prefix() + "/";
        return annotation.startsWith(begin + UNDOABLE + ".") || annotation.startsWith(begin + RUNS + ".");
    }
}
