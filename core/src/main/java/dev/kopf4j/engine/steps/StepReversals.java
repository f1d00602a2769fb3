package dev.kopf4j.engine.steps;

import dev.kopf4j.StepInDoubtException;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.persistence.progress.StepMarks.Undoable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes steps back that the object remembers, the last one first; each is forgotten before the next one is taken back.
 * Confined to the thread of the handler's call; used once.
 */
final class StepReversals implements Steps.Undo {
    private final CallSteps steps;
    private final StepMarks marks;
    private final StepJournal journal;
    private final Map<String, Declared<?>> declared = new LinkedHashMap<>();
    private final Map<String, Steps.Search<?>> searches = new LinkedHashMap<>();

    StepReversals(CallSteps steps, StepMarks marks, StepJournal journal) {
        this.steps = steps;
        this.marks = marks;
        this.journal = journal;
    }

    private record Declared<T>(Class<T> type, Steps.KeyedReversal<T> reversal) {
        @SuppressWarnings({"unchecked", "NullAway"}) // a value of the type is bound; reversals are told of null
        void undo(Undoable step, @Nullable Object result) throws Exception {
            reversal.undo(
                    (T) ValueBinding.bind(result, type, () -> "the result of the step '" + step.id() + "'"),
                    step.key());
        }
    }

    @Override
    public <T> Steps.Undo step(String name, Class<T> type, Steps.Reversal<T> reversal) {
        return step(name, type, (T result, String key) -> reversal.undo(result));
    }

    @Override
    public <T> Steps.Undo step(String name, Class<T> type, Steps.KeyedReversal<T> reversal) {
        declared.put(name, new Declared<>(type, reversal));
        return this;
    }

    @Override
    public <T> Steps.Undo recover(String name, Class<T> type, Steps.Search<T> search) {
        searches.put(name, search);
        return this;
    }

    /**
     * Takes them back.
     *
     * @param all true if each that is remembered must be declared
     */
    void make(boolean all) throws Exception {
        List<Undoable> known = marks.undoables(journal.object());
        if (all) {
            requireAll(known);
        }
        for (Undoable each : known) {
            Declared<?> how = find(declared, each);
            if (how != null) {
                takeBack(each, how);
            }
        }
    }

    private void requireAll(List<Undoable> known) {
        List<String> unknown = known.stream()
                .filter(each -> find(declared, each) == null)
                .map(each -> "'" + each.id() + "'")
                .toList();
        if (!unknown.isEmpty()) {
            throw new TemporaryException("the object remembers the steps " + String.join(", ", unknown)
                    + ", and nobody says how they are taken back; declare each as in"
                    + " steps.undo(undo -> undo.step(\"" + known.getFirst().name() + "\", String.class, id -> ...))");
        }
    }

    private static <V> @Nullable V find(Map<String, V> declarations, Undoable step) {
        // Several handlers may have a step of the name; with a handler's id it is that one's.
        String key = step.key().isEmpty() ? "" : step.id().substring(step.id().lastIndexOf('/'));
        String withHandler = step.id().substring(0, step.id().length() - key.length());
        V found = declarations.get(withHandler);
        return found == null ? declarations.get(step.name()) : found;
    }

    private void takeBack(Undoable step, Declared<?> how) throws Exception {
        Object result = Json.toJava(step.known().result());
        if (step.known().intent()) {
            Optional<?> found = search(step);
            if (found.isEmpty()) {
                forget(step);
                return;
            }
            result = found.get();
        }
        Object taken = result;
        CallSteps.<@Nullable Void>callAs("undo/" + step.id(), () -> {
            how.undo(step, taken);
            return null;
        });
        forget(step);
    }

    private Optional<?> search(Undoable step) throws Exception {
        Steps.Search<?> search = find(searches, step);
        if (search != null) {
            return search.find(step.key());
        }
        ObjectNode told = Json.object();
        marks.keep(step.toldOf(), journal.object(), told);
        journal.write(Map.of(), told);
        StepInDoubtException doubt = steps.tellOfDoubt("Step '" + step.id()
                + "' has an intent and no result, and nobody knows whether its call was made: it cannot be taken back."
                + " Look for what it makes, and remove it; then let the deletion go on by the annotation 'retry' with a"
                + " new token.");
        throw doubt;
    }

    private void forget(Undoable step) throws InterruptedException {
        ObjectNode patch = Json.object();
        marks.remove(step.id(), journal.object(), patch);
        journal.write(Map.of(), patch);
    }
}
