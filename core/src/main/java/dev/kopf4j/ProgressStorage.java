package dev.kopf4j;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the progress of handlers is remembered: a choice for {@link OperatorSettings.Persistence#progressStorage}.
 *
 * <p>The choices are immutable.
 */
public sealed interface ProgressStorage {
    /** In annotations, as {@link #annotations}; what older operators have left in the status is taken over. */
    static Smart smart() {
        return smart(annotations(), status());
    }

    /** The same with other annotations, or another field of the status. */
    static Smart smart(Annotations annotations, Status status) {
        return new StorageChoices.ProgressMigrating(annotations, status);
    }

    /** In annotations of the settings' prefix. */
    static Annotations annotations() {
        return new StorageChoices.ProgressInAnnotations(null, true, false, "touch-dummy");
    }

    /** In {@code status.kopf.progress}. The resource's schema must allow that field. */
    static Status status() {
        return status("kopf");
    }

    /** In {@code status.<name>.progress}. */
    static Status status(String name) {
        return new StorageChoices.ProgressInStatus(
                List.of("status", name, "progress"), List.of("status", name, "dummy"));
    }

    /**
     * In several places, for moving from one to another: all are written, and the first one that has a record is read.
     */
    static Multi multi(ProgressStorage... storages) {
        return new StorageChoices.ProgressInSeveral(List.of(storages));
    }

    /** In annotations, a record each. Made by {@link #annotations()}. */
    sealed interface Annotations extends ProgressStorage permits StorageChoices.ProgressInAnnotations {
        /** The same under another prefix than the setting's. */
        Annotations withPrefix(String other);

        /** The same without the names that older versions of Kopf have. */
        Annotations withoutV1();

        /** The same with empty fields. */
        Annotations withEmptyFields();

        /** The same for operators that have changed another annotation to wake themselves up. */
        Annotations withTouchKey(String other);

        /** The domain in front of the annotations' names; null for the setting's. */
        @Nullable String prefix();

        /** Whether the names that older versions of Kopf have are read, written and removed, too. */
        boolean v1();

        /** Whether empty fields are written, too. */
        boolean verbose();

        /** The name of the annotation that Kopf changes to wake itself up; it is removed where it is. */
        String touchKey();
    }

    /** In a field of the status, all records. Made by {@link #status()}. */
    sealed interface Status extends ProgressStorage permits StorageChoices.ProgressInStatus {
        /**
         * The same in another field: a dotted path, such as {@code "status.kopf.progress"}.
         *
         * @throws IllegalArgumentException if a key is empty
         */
        Status withField(String path);

        /** The same in another field, given by keys one below the other, which may have dots themselves. */
        Status withField(List<String> keys);

        /** The same for operators that have changed another field to wake themselves up: a dotted path. */
        Status withTouchField(String path);

        /** The same for operators that have changed another field to wake themselves up, given by its keys. */
        Status withTouchField(List<String> keys);

        /** The keys of the field. */
        List<String> field();

        /** The keys of the field that Kopf changes to wake itself up; it is removed where it is. */
        List<String> touchField();
    }

    /** In several places. Made by {@link #multi}. */
    sealed interface Multi extends ProgressStorage permits StorageChoices.ProgressInSeveral {
        /** The places, in the order in which they are read. */
        List<ProgressStorage> storages();
    }

    /**
     * In annotations; the status is read if there is nothing in them, and cleaned up, but never written. Made by
     * {@link #smart}.
     */
    sealed interface Smart extends ProgressStorage permits StorageChoices.ProgressMigrating {
        /** The annotations. */
        Annotations annotations();

        /** The field of the status. */
        Status status();
    }

    /**
     * A storage of your own. The framework merges what it returns into the patch of the object (RFC 7386), so it can
     * keep records on the object; or it keeps them elsewhere, and returns empty maps.
     *
     * <p>Records are mappings: {@code started}, {@code stopped}, {@code delayed} (times as text), {@code purpose}
     * (text), {@code retries} (a number), {@code success}, {@code failure} (booleans), {@code message} (text),
     * {@code subrefs} (a list of ids); absent ones are left out. The maps that it gets are unmodifiable.
     *
     * <p>Many threads call it at a time, so it must be thread-safe. An exception is an error of the framework for that
     * object: it is logged, and the object is tried again after a growing pause; other objects do not suffer.
     */
    non-sealed interface Custom extends ProgressStorage {
        /** The record of a handler; null if there is none. */
        @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body);

        /** Stores the record of a handler, and returns what has to be changed in the object for that. */
        Map<String, ? extends @Nullable Object> store(
                String handlerId, Map<String, Object> record, Map<String, Object> body);

        /** Forgets the record of a handler, and returns what has to be changed in the object for that. */
        Map<String, ? extends @Nullable Object> purge(String handlerId, Map<String, Object> body);

        /**
         * Sets the mark by which Kopf wakes itself up, or removes it, and returns what has to be changed in the object
         * for that. The framework has no such mark: it only asks, before each patch, to remove one that is left.
         *
         * @param value the mark; null to remove it, as it always is here
         */
        default Map<String, ? extends @Nullable Object> touch(Map<String, Object> body, @Nullable String value) {
            return Map.of();
        }

        /**
         * Removes from the essence of an object what this storage keeps in it, so that it does not count as a change.
         */
        default Map<String, Object> clear(Map<String, Object> essence) {
            return essence;
        }

        /** Called when all records of an object were stored or purged in a cycle. */
        default void flush() {}
    }
}
