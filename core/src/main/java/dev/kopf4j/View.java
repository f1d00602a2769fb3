package dev.kopf4j;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of a Kubernetes object, to be read. Immutable.
 *
 * <p>Paths are dotted ({@code "metadata.labels"}); the forms with a list of keys are for keys that have dots
 * themselves. What is absent, null, or under something that is not a mapping, is {@link Optional#empty()}; an absent
 * stanza is empty. Two views are equal if their contents are, with numbers compared by value.
 */
public interface View {
    /**
     * The value at the path: a {@code String}, {@code Boolean}, {@code Number}, {@code List} or {@code Map},
     * unmodifiable.
     */
    Optional<Object> get(String path);

    /** The value at the keys, one below the other. */
    Optional<Object> get(List<String> keys);

    /** The part below the path; an empty view if it is absent or not a mapping. */
    View at(String path);

    /** The part below the keys; an empty view if it is absent or not a mapping. */
    View at(List<String> keys);

    /** The value at the path in the given type: records, beans, enums, numbers, text, times, collections. */
    <T> Optional<T> get(String path, Class<T> type);

    /** True if there is a value at the path. */
    default boolean has(String path) {
        return get(path).isPresent();
    }

    /** The text at the path; numbers and booleans as they are written. */
    default Optional<String> getString(String path) {
        return get(path, String.class);
    }

    /** The text at the path, or the given one. */
    default String getString(String path, String otherwise) {
        return getString(path).orElse(otherwise);
    }

    /** The whole number at the path, or the given one. */
    default int getInt(String path, int otherwise) {
        return get(path, Integer.class).orElse(otherwise);
    }

    /** The whole number at the path, or the given one. */
    default long getLong(String path, long otherwise) {
        return get(path, Long.class).orElse(otherwise);
    }

    /** The number at the path, or the given one. */
    default double getDouble(String path, double otherwise) {
        return get(path, Double.class).orElse(otherwise);
    }

    /** The boolean at the path, or the given one. */
    default boolean getBoolean(String path, boolean otherwise) {
        return get(path, Boolean.class).orElse(otherwise);
    }

    /** The list at the path; empty if there is none. */
    List<Object> getList(String path);

    /** The mapping at the path; empty if there is none. */
    Map<String, Object> getMap(String path);

    /** True if nothing is in it. */
    boolean isEmpty();

    /** All of it, unmodifiable. */
    Map<String, Object> toMap();

    /** All of it as compact JSON. */
    String toJson();

    /**
     * All of it as a record, bean or map; unknown fields are ignored.
     *
     * @throws BindingException if it does not fit, with the path of the misfit
     */
    <T> T as(Class<T> type);

    /** The same for types with arguments. */
    Object as(Type type);
}
