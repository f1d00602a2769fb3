package dev.kopf4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the last-handled states of objects are remembered: a choice for
 * {@link OperatorSettings.Persistence#diffBaseStorage}.
 *
 * <p>The choices are immutable.
 */
public sealed interface DiffBaseStore {
    /** In the annotation {@code last-handled-configuration} of the settings' prefix. */
    static Annotations annotations() {
        return new Annotations(null, "last-handled-configuration", true, List.of(), false);
    }

    /** In {@code status.kopf.last-handled-configuration}. The resource's schema must allow that field. */
    static Status status() {
        return status("kopf");
    }

    /** In {@code status.<name>.last-handled-configuration}. */
    static Status status(String name) {
        return new Status(List.of("status", name, "last-handled-configuration"), List.of());
    }

    /** In several places, for moving from one to another: the first one with a state is believed, all are written. */
    static Multi multi(DiffBaseStore... stores) {
        return new Multi(List.of(stores));
    }

    /**
     * In an annotation.
     *
     * @param prefix the domain in front of its name; null for the setting's
     * @param key its name
     * @param v1 true to read and write also the name that older versions of Kopf have
     * @param ignoredFields the fields whose changes are no changes, by their keys
     * @param compressed true to compress the state, for large objects; Kopf cannot read it then
     */
    record Annotations(
            @Nullable String prefix, String key, boolean v1, List<List<String>> ignoredFields, boolean compressed)
            implements DiffBaseStore {
        /** Copies the lists. */
        public Annotations {
            ignoredFields = copy(ignoredFields);
        }

        /** The same under another prefix than the setting's. */
        public Annotations withPrefix(String other) {
            return new Annotations(other, key, v1, ignoredFields, compressed);
        }

        /** The same under another name. */
        public Annotations withKey(String other) {
            return new Annotations(prefix, other, v1, ignoredFields, compressed);
        }

        /** The same without the name that older versions of Kopf have. */
        public Annotations withoutV1() {
            return new Annotations(prefix, key, false, ignoredFields, compressed);
        }

        /** The same without these fields: dotted paths, such as {@code "spec.template"}. */
        public Annotations ignoring(String... fields) {
            return new Annotations(prefix, key, v1, more(ignoredFields, fields), compressed);
        }

        /** The same without one field, given by keys one below the other, which may have dots themselves. */
        public Annotations ignoring(List<String> keys) {
            return new Annotations(prefix, key, v1, more(ignoredFields, keys), compressed);
        }

        /** The same, compressed. */
        public Annotations withCompression() {
            return new Annotations(prefix, key, v1, ignoredFields, true);
        }
    }

    /**
     * In a field of the status, as a JSON text.
     *
     * @param field the keys of the field
     * @param ignoredFields the fields whose changes are no changes, by their keys
     */
    record Status(List<String> field, List<List<String>> ignoredFields) implements DiffBaseStore {
        /** Copies the lists. */
        public Status {
            field = List.copyOf(field);
            ignoredFields = copy(ignoredFields);
        }

        /** The same without these fields: dotted paths, such as {@code "spec.template"}. */
        public Status ignoring(String... fields) {
            return new Status(field, more(ignoredFields, fields));
        }

        /** The same without one field, given by keys one below the other, which may have dots themselves. */
        public Status ignoring(List<String> keys) {
            return new Status(field, more(ignoredFields, keys));
        }
    }

    /**
     * In several places.
     *
     * @param stores the places, the most believed first
     */
    record Multi(List<DiffBaseStore> stores) implements DiffBaseStore {
        /** In those places. */
        public Multi {
            stores = List.copyOf(stores);
        }
    }

    /**
     * A place of one's own. What it answers is merged into the patch of the object (RFC 7386), so it may keep states on
     * the object; or it keeps them elsewhere, and answers empty maps. All maps given are unmodifiable.
     *
     * <p>Called by many threads at a time: must be thread-safe. An exception is an error of the framework for that
     * object: it is logged, and the object is tried again after a growing pause; other objects do not suffer.
     */
    non-sealed interface Custom extends DiffBaseStore {
        /** The state in which an object was handled last; null if it never was. */
        @Nullable Map<String, Object> fetch(Map<String, Object> body);

        /** Stores the state in which an object was handled, and answers what is to be changed in the object for it. */
        Map<String, ? extends @Nullable Object> store(Map<String, Object> essence, Map<String, Object> body);

        /** The essence of an object without what this storage keeps in it, lest it be taken for a change. */
        default Map<String, Object> clear(Map<String, Object> essence) {
            return essence;
        }
    }

    private static List<List<String>> copy(List<List<String>> fields) {
        return fields.stream().map(List::copyOf).toList();
    }

    private static List<List<String>> more(List<List<String>> fields, String... dotted) {
        List<List<String>> all = new ArrayList<>(fields);
        Arrays.stream(dotted).map(DottedPath::keys).forEach(all::add);
        return all;
    }

    private static List<List<String>> more(List<List<String>> fields, List<String> keys) {
        List<List<String>> all = new ArrayList<>(fields);
        all.add(keys);
        return all;
    }
}
