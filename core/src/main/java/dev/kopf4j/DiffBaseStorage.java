package dev.kopf4j;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the last-handled states of objects are remembered: a choice for
 * {@link OperatorSettings.Persistence#diffBaseStorage}.
 *
 * <p>The choices are immutable.
 */
public sealed interface DiffBaseStorage {
    /** In the annotation {@code last-handled-configuration} of the settings' prefix. */
    static Annotations annotations() {
        return new StorageChoices.DiffBaseInAnnotation(null, "last-handled-configuration", true, List.of(), false);
    }

    /** In {@code status.kopf.last-handled-configuration}. The resource's schema must allow that field. */
    static Status status() {
        return status("kopf");
    }

    /** In {@code status.<name>.last-handled-configuration}. */
    static Status status(String name) {
        return new StorageChoices.DiffBaseInStatus(List.of("status", name, "last-handled-configuration"), List.of());
    }

    /**
     * In several places, for moving from one to another: all are written, and the first one that has a state is read.
     */
    static Multi multi(DiffBaseStorage... storages) {
        return new StorageChoices.DiffBaseInSeveral(List.of(storages));
    }

    /** In an annotation. Made by {@link #annotations()}. */
    sealed interface Annotations extends DiffBaseStorage permits StorageChoices.DiffBaseInAnnotation {
        /** The same under another prefix than the setting's. */
        Annotations withPrefix(String other);

        /** The same under another name. */
        Annotations withKey(String other);

        /** The same without the name that older versions of Kopf have. */
        Annotations withoutV1();

        /** The same without these fields: dotted paths, such as {@code "spec.template"}. */
        Annotations ignoring(String... fields);

        /** The same without one field, given by keys one below the other, which may have dots themselves. */
        Annotations ignoring(List<String> keys);

        /** The same, compressed, for large objects. Kopf cannot read such states. */
        Annotations withCompression();

        /** The domain in front of the annotation's name; null for the setting's. */
        @Nullable String prefix();

        /** The annotation's name. */
        String key();

        /** Whether the name that older versions of Kopf have is read and written, too. */
        boolean v1();

        /** The fields whose changes do not count as changes of the object, by their keys. */
        List<List<String>> ignoredFields();

        /** Whether the state is compressed. */
        boolean compressed();
    }

    /** In a field of the status, as a JSON text. Made by {@link #status()}. */
    sealed interface Status extends DiffBaseStorage permits StorageChoices.DiffBaseInStatus {
        /**
         * The same in another field: a dotted path, such as {@code "status.kopf.last"}.
         *
         * @throws IllegalArgumentException if a key is empty
         */
        Status withField(String path);

        /** The same in another field, given by keys one below the other, which may have dots themselves. */
        Status withField(List<String> keys);

        /** The same without these fields: dotted paths, such as {@code "spec.template"}. */
        Status ignoring(String... fields);

        /** The same without one field, given by keys one below the other, which may have dots themselves. */
        Status ignoring(List<String> keys);

        /** The keys of the field. */
        List<String> field();

        /** The fields whose changes do not count as changes of the object, by their keys. */
        List<List<String>> ignoredFields();
    }

    /** In several places. Made by {@link #multi}. */
    sealed interface Multi extends DiffBaseStorage permits StorageChoices.DiffBaseInSeveral {
        /** The places, in the order in which they are read. */
        List<DiffBaseStorage> storages();
    }

    /**
     * A storage of your own. The framework merges what it returns into the patch of the object (RFC 7386), so it can
     * keep states on the object; or it keeps them elsewhere, and returns empty maps. The maps that it gets are
     * unmodifiable.
     *
     * <p>Many threads call it at a time, so it must be thread-safe. An exception is an error of the framework for that
     * object: it is logged, and the object is tried again after a growing pause; other objects do not suffer.
     */
    non-sealed interface Custom extends DiffBaseStorage {
        /** The state in which an object was handled last; null if it never was. */
        @Nullable Map<String, Object> fetch(Map<String, Object> body);

        /**
         * Stores the state in which an object was handled, and returns what has to be changed in the object for that.
         */
        Map<String, ? extends @Nullable Object> store(Map<String, Object> essence, Map<String, Object> body);

        /**
         * Makes the essence of an object: the part whose changes count.
         *
         * @param essence what the framework makes of it: all but the status, the identity and the system's fields, with
         *     the fields that handlers name
         * @param body the object
         */
        default Map<String, Object> build(Map<String, Object> essence, Map<String, Object> body) {
            return essence;
        }

        /**
         * Removes from the essence of an object what this storage keeps in it, so that it does not count as a change.
         */
        default Map<String, Object> clear(Map<String, Object> essence) {
            return essence;
        }
    }
}
