package dev.kopf4j.persistence.progress;

import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.OperatorMarker;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.EssencePruner;
import dev.kopf4j.persistence.conventions.PythonJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in annotations, as JSON texts.
 *
 * <p>Immutable.
 */
public final class AnnotationsProgressStorage implements ProgressPersistence {
    private final AnnotationRecords records;
    /** Where the diff-base is by default: a record in its place would make each creation an update. */
    private static final String LAST_HANDLED = "last-handled-configuration";

    private final String touchKey;
    private final boolean verbose;
    private final UnreadableStateListener broken;

    /** Makes a storage; a verbose one writes empty fields as nulls. */
    public AnnotationsProgressStorage(AnnotationKeys keys, String touchKey, boolean verbose) {
        this(keys, touchKey, verbose, UnreadableStateListener.LOGGED);
    }

    AnnotationsProgressStorage(AnnotationKeys keys, String touchKey, boolean verbose, UnreadableStateListener broken) {
        this.records = new AnnotationRecords(keys, broken);
        this.touchKey = touchKey;
        this.verbose = verbose;
        this.broken = broken;
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        return records.read(
                key,
                body,
                (json, annotation) -> ProgressRecord.decode(
                        json, problem -> broken.foundUnreadable(body, "annotation " + annotation, problem)));
    }

    @Override
    public Optional<String> problem(String key) {
        return key.equals(touchKey) || key.equals(LAST_HANDLED)
                ? Optional.of("the operator keeps something else in the annotation of that name")
                : records.keys().problem(key);
    }

    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        records.write(key, PythonJson.text(ProgressRecord.encode(record, verbose)), body, patch);
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        records.purge(key, body, patch);
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        records.touch(touchKey, body, patch, value);
    }

    @Override
    public void mark(ObjectNode body, ObjectNode patch) {
        OperatorMarker.store(records.keys().prefix(), body, patch);
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        return EssencePruner.withoutAnnotations(essence, records.keys()::owns);
    }
}
