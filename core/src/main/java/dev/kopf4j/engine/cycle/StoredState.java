package dev.kopf4j.engine.cycle;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.persistence.StorageLocations;
import dev.kopf4j.persistence.diffbase.DiffBasePersistence;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StepMarks;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator stores on objects: the essence of the state in which an object was handled last, the progress of
 * its handlers, the finalizer. Thread-safe.
 */
public final class StoredState {
    private final DiffBasePersistence diffBase;
    private final ProgressPersistence progress;
    private final Finalizer finalizer;
    private final CauseDetector detector;
    private final StorageLocations locations;
    private final Interventions interventions;
    private final StepMarks stepMarks;
    private final StorageLocations statusOnly;
    /** The kinds and steps for which the log says already that nobody takes them back. */
    private final Set<String> stepsToldUnheld = ConcurrentHashMap.newKeySet();

    /** Stored as the settings say. */
    public StoredState(OperatorSettings all) {
        OperatorSettings.Persistence settings = all.persistence();
        this.interventions = Interventions.of(all);
        this.stepMarks = new StepMarks(interventions.prefixes());
        this.diffBase = StorageFactory.diffBase(settings.diffBaseStorage(), settings.prefix());
        this.progress = StorageFactory.progress(settings.progressStorage(), settings.prefix());
        this.finalizer = new Finalizer(settings.finalizer());
        StorageLocations chosen =
                StorageLocations.of(settings.progressStorage(), settings.diffBaseStorage(), settings.prefix());
        boolean cleared = chosen.prefixes().containsAll(interventions.prefixes());
        this.detector =
                new CauseDetector(diffBase, progress, finalizer, cleared ? UnaryOperator.identity() : this::clear);
        this.locations = chosen.with(interventions.prefixes());
        this.statusOnly = StorageLocations.ofStatusOnly(settings.progressStorage(), settings.diffBaseStorage());
    }

    /** What the annotations begin with that an operator with these settings writes on objects. */
    public static List<String> prefixes(OperatorSettings all) {
        OperatorSettings.Persistence settings = all.persistence();
        Set<String> prefixes = new LinkedHashSet<>(List.of(settings.prefix()));
        prefixes.addAll(StorageLocations.of(settings.progressStorage(), settings.diffBaseStorage(), settings.prefix())
                .with(Interventions.of(all).prefixes())
                .prefixes());
        return List.copyOf(prefixes);
    }

    /** What people ask of objects. */
    public Interventions interventions() {
        return interventions;
    }

    private ObjectNode clear(ObjectNode essence) {
        return stepMarks.clear(interventions.clear(essence));
    }

    /** What objects remember of the steps of handlers when their progress is gone. */
    StepMarks stepMarks() {
        return stepMarks;
    }

    /** What the steps of handlers need. */
    StepEnvironment steps(HandlerRunner runner) {
        return new StepEnvironment(runner, progress, stepMarks, finalizer::isOn, stepsToldUnheld);
    }

    /** Where the progress of handlers is stored. */
    public ProgressPersistence progress() {
        return progress;
    }

    /** The mark that holds objects. */
    Finalizer finalizer() {
        return finalizer;
    }

    /** Tells what happened to an object by what is stored on it. */
    CauseDetector detector() {
        return detector;
    }

    /** Adds to the patch that the object was never handled; false if the storage does not know how. */
    boolean forgetHandled(ObjectNode body, ObjectNode patch) {
        return diffBase.purge(body, patch);
    }

    /** Knows which part of a patch is the framework's own. */
    StorageLocations locations() {
        return locations;
    }

    /** True if something is stored in the status and nowhere else. */
    boolean isInStatusOnly() {
        return !statusOnly.fields().isEmpty();
    }

    /** The part of a patch that is stored in the status and nowhere else. */
    ObjectNode statusPart(PatchContent patch) {
        return statusOnly.fields().isEmpty()
                ? Json.object()
                : statusOnly.frameworkPart(patch).merge();
    }

    /**
     * Which of the fields of the status the server has dropped, as its schema does not have them.
     *
     * @param wanted what was to be stored there
     * @param body what the object has after that
     */
    List<FieldPath> dropped(ObjectNode wanted, ObjectNode body) {
        return statusOnly.fields().stream()
                .filter(field -> {
                    JsonNode value = field.resolve(wanted);
                    ObjectNode alone = Json.object();
                    if (value != null) {
                        field.ensure(alone, withoutDispensable(value));
                    }
                    return !JsonDiff.between(alone, body, JsonDiff.Scope.LEFT).isEmpty();
                })
                .sorted(Comparator.comparing(FieldPath::toString))
                .toList();
    }

    /** Without what records do well without, if a schema names the fields that Kopf knows. */
    private static JsonNode withoutDispensable(JsonNode records) {
        JsonNode without = records.deepCopy();
        without.forEach(record -> {
            if (record instanceof ObjectNode fields) {
                fields.remove(List.of("late", "keyGiven"));
                fields.remove(List.copyOf(fields.propertyNames()).stream()
                        .filter(name -> !ProgressRecord.isKnown(name))
                        .toList());
            }
        });
        return without;
    }

    /** Adds to the patch the removal of the annotation or field by which an older Python operator wakes itself up. */
    void removeTouch(ObjectNode body, ObjectNode patch) {
        progress.touch(body, patch, null);
    }

    /**
     * Why an object cannot be handled: the state that would be remembered in the end cannot be stored on it.
     *
     * @return words for people; null if it can be handled, as deletions always can
     */
    @Nullable String refusal(ResourceObject object, Cause.Handleable cause) {
        Change change = cause.change();
        return cause.reason() == Reason.DELETE || isUnchanged(change)
                ? null
                : whyNotStorable(object, change.newEssence());
    }

    /** True if that essence can be stored on the object. */
    boolean fits(ResourceObject object, ObjectNode essence) {
        return whyNotStorable(object, essence) == null;
    }

    /** What a retry has stored takes no room: it goes when the essence is stored. */
    private @Nullable String whyNotStorable(ResourceObject object, ObjectNode essence) {
        return diffBase.whyNotStorable(interventions.withoutSeen(object.node()), essence);
    }

    /** About how many bytes of memory the essence takes that is stored compressed on the object; 0 if it is not. */
    long unpackedBytes(ObjectNode body) {
        return diffBase.unpackedBytes(body);
    }

    /** Adds to the patch the essence in which the object was handled, if it is another one than the stored one. */
    void storeHandled(ResourceObject object, Cause.Handleable cause, ObjectNode patch) {
        ObjectNode essence = cause.change().newEssence();
        boolean fits = cause.reason() != Reason.DELETE || fits(object, essence);
        if (fits && !isUnchanged(cause.change())) {
            storeHandled(object, essence, patch);
        }
    }

    /** Adds an essence to the patch: what has changed since then is still to be handled. */
    void storeHandled(ResourceObject object, ObjectNode essence, ObjectNode patch) {
        boolean _ = interventions.storeSeen(null, object.node(), patch);
        stepMarks.spread(object.node(), patch);
        diffBase.store(object.node(), patch, essence);
    }

    /**
     * Changes have been dropped that the essence was to be remembered with: it is remembered without them, or the
     * object would seem to have lost them.
     *
     * @param object as the server has it
     * @param dropped what was dropped
     * @param framework is to store the essence, if it was handled
     * @param essence the one of the object
     */
    void storeWithout(ObjectNode dropped, ResourceObject object, PatchContent framework, ObjectNode essence) {
        ObjectNode handled = diffBase.fetch(framework.preview(object.node()));
        if (handled != null && !JsonEquality.equal(handled, diffBase.fetch(object.node()))) {
            MergePatch.undo(dropped, handled, essence);
            storeHandled(object, handled, framework.merge());
        }
    }

    private static boolean isUnchanged(Change change) {
        return change.oldEssence() != null && change.diff().isEmpty();
    }
}
