package dev.kopf4j;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the progress of handlers is remembered: a choice for {@link OperatorSettings.Persistence#progressStorage}.
 *
 * <p>The choices are immutable.
 */
public sealed interface ProgressStore {
    /** In annotations, as {@link #annotations}; what older operators have left in the status is taken over. */
    static Smart smart() {
        return new Smart(annotations(), status());
    }

    /** In annotations of the settings' prefix. */
    static Annotations annotations() {
        return new Annotations(null, true, false, "touch-dummy");
    }

    /** In {@code status.kopf.progress}. The resource's schema must allow that field. */
    static Status status() {
        return status("kopf");
    }

    /** In {@code status.<name>.progress}. */
    static Status status(String name) {
        return new Status(List.of("status", name, "progress"), List.of("status", name, "dummy"));
    }

    /** In several places, for moving from one to another: the first one with a record is believed, all are written. */
    static Multi multi(ProgressStore... stores) {
        return new Multi(List.of(stores));
    }

    /**
     * In annotations, a record each.
     *
     * @param prefix the domain in front of their names; null for the setting's
     * @param v1 true to read, write and remove also the names that older versions of Kopf have
     * @param verbose true to write empty fields, too
     * @param touchKey the name of the annotation that Kopf changes to wake itself up; it is removed where it is
     */
    record Annotations(@Nullable String prefix, boolean v1, boolean verbose, String touchKey) implements ProgressStore {
        /** The same under another prefix than the setting's. */
        public Annotations withPrefix(String other) {
            return new Annotations(other, v1, verbose, touchKey);
        }

        /** The same without the names that older versions of Kopf have. */
        public Annotations withoutV1() {
            return new Annotations(prefix, false, verbose, touchKey);
        }

        /** The same with empty fields. */
        public Annotations withEmptyFields() {
            return new Annotations(prefix, v1, true, touchKey);
        }

        /** The same for operators that have changed another annotation to wake themselves up. */
        public Annotations withTouchKey(String other) {
            return new Annotations(prefix, v1, verbose, other);
        }
    }

    /**
     * In a field of the status, all records.
     *
     * @param field the keys of the field
     * @param touchField the keys of the field that Kopf changes to wake itself up; it is removed where it is
     */
    record Status(List<String> field, List<String> touchField) implements ProgressStore {
        /** In those fields. */
        public Status {
            field = List.copyOf(field);
            touchField = List.copyOf(touchField);
        }
    }

    /**
     * In several places.
     *
     * @param stores the places, the most believed first
     */
    record Multi(List<ProgressStore> stores) implements ProgressStore {
        /** In those places. */
        public Multi {
            stores = List.copyOf(stores);
        }
    }

    /**
     * In annotations; the status is read if there is nothing in them, and cleaned up, but never written.
     *
     * @param annotations the annotations
     * @param status the field of the status
     */
    record Smart(Annotations annotations, Status status) implements ProgressStore {}

    /**
     * A place of one's own. What it answers is merged into the patch of the object (RFC 7386), so it may keep records
     * on the object; or it keeps them elsewhere, and answers empty maps.
     *
     * <p>Records are mappings: {@code started}, {@code stopped}, {@code delayed} (times as text), {@code purpose}
     * (text), {@code retries} (a number), {@code success}, {@code failure} (booleans), {@code message} (text),
     * {@code subrefs} (a list of ids); absent ones are left out. All maps given are unmodifiable.
     *
     * <p>Called by many threads at a time: must be thread-safe. An exception is an error of the framework for that
     * object: it is logged, and the object is tried again after a growing pause; other objects do not suffer.
     */
    non-sealed interface Custom extends ProgressStore {
        /** The record of a handler; null if there is none. */
        @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body);

        /** Stores the record of a handler, and answers what is to be changed in the object for it. */
        Map<String, ? extends @Nullable Object> store(
                String handlerId, Map<String, Object> record, Map<String, Object> body);

        /** Forgets the record of a handler, and answers what is to be changed in the object for it. */
        Map<String, ? extends @Nullable Object> purge(String handlerId, Map<String, Object> body);

        /**
         * Sets the mark by which Kopf wakes itself up, or removes it, and answers what is to be changed in the object
         * for it. The framework has no such mark: it only asks, before each patch, to remove one that is left.
         *
         * @param value the mark; null to remove it, as it always is here
         */
        default Map<String, ? extends @Nullable Object> touch(Map<String, Object> body, @Nullable String value) {
            return Map.of();
        }

        /** The essence of an object without what this storage keeps in it, lest it be taken for a change. */
        default Map<String, Object> clear(Map<String, Object> essence) {
            return essence;
        }

        /** Called when all records of an object were stored or purged in a cycle. */
        default void flush() {}
    }
}
