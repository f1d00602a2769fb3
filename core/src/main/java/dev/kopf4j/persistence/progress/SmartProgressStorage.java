package dev.kopf4j.persistence.progress;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in annotations, and takes over the progress that older operators left in the status: reads it if
 * the annotations have none, and purges it, but never writes it. The default storage.
 *
 * <p>Immutable.
 */
public final class SmartProgressStorage implements ProgressStorage {
    private final AnnotationsProgressStorage annotations;
    private final MultiProgressStorage both;

    /** Makes the storage with Kopf's defaults for both. */
    public SmartProgressStorage() {
        this(new AnnotationsProgressStorage(), new StatusProgressStorage());
    }

    /** Makes a storage that writes annotations, and takes over from the status. */
    public SmartProgressStorage(AnnotationsProgressStorage annotations, StatusProgressStorage status) {
        this.annotations = annotations;
        this.both = new MultiProgressStorage(List.of(annotations, status));
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        return both.fetch(key, body);
    }

    @Override
    public Optional<String> problem(String key) {
        return annotations.problem(key);
    }

    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        annotations.store(key, record, body, patch);
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        both.purge(key, body, patch);
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        annotations.touch(body, patch, value);
    }

    @Override
    public void mark(ObjectNode body, ObjectNode patch) {
        annotations.mark(body, patch);
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        return both.clear(essence);
    }
}
