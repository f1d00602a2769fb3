package dev.kopf4j;

import dev.kopf4j.object.JsonView;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a Kubernetes object, to be read. Immutable.
 *
 * <p>A field is a dotted path ({@code "metadata.labels"}), or a list of keys, one below the other, where keys have dots
 * themselves ({@code List.of("metadata", "labels", "example.com/size")}). What is absent, null, or under something that
 * is not a mapping, is {@link Optional#empty()}; an absent stanza is empty. Two views are equal if their contents are,
 * with numbers compared by value.
 *
 * <p>Where a type is given, the value is bound to it: records, beans, enums, numbers, text, times, collections, models
 * of client libraries. What does not fit is a {@link BindingException}, with the path of the misfit. Made by the
 * framework; not to be implemented.
 */
public interface View {
    /**
     * A view of one's own.
     *
     * @param map maps, lists, text, numbers, booleans, records and beans; copied
     * @throws RuntimeException if it cannot be expressed in JSON, with the path
     */
    static View of(Map<String, ? extends @Nullable Object> map) {
        return JsonView.of(map);
    }

    /**
     * The value at the path: a {@code String}, {@code Boolean}, {@code Number}, {@code List} or {@code Map},
     * unmodifiable.
     */
    default Optional<Object> get(String path) {
        return get(DottedPath.keys(path));
    }

    /** The value at the keys. */
    Optional<Object> get(List<String> keys);

    /** The value at the path in the given type. */
    default <T> Optional<T> get(String path, Class<T> type) {
        return get(DottedPath.keys(path), type);
    }

    /** The value at the keys in the given type. */
    <T> Optional<T> get(List<String> keys, Class<T> type);

    /** The value at the path in a type with arguments. */
    default <T> Optional<T> get(String path, TypeRef<T> type) {
        return get(DottedPath.keys(path), type);
    }

    /** The value at the keys in a type with arguments. */
    <T> Optional<T> get(List<String> keys, TypeRef<T> type);

    /** The part below the path; an empty view if it is absent or not a mapping. */
    default View at(String path) {
        return at(DottedPath.keys(path));
    }

    /** The part below the keys; an empty view if it is absent or not a mapping. */
    View at(List<String> keys);

    /** True if there is a value at the path. */
    default boolean has(String path) {
        return has(DottedPath.keys(path));
    }

    /** True if there is a value at the keys. */
    default boolean has(List<String> keys) {
        return get(keys).isPresent();
    }

    /** The text at the path; numbers and booleans as they are written. */
    default Optional<String> getString(String path) {
        return getString(DottedPath.keys(path));
    }

    /** The text at the keys; numbers and booleans as they are written. */
    default Optional<String> getString(List<String> keys) {
        return get(keys, String.class);
    }

    /**
     * The text at the path, which has to be there; numbers and booleans as they are written.
     *
     * @throws NoSuchElementException if there is none, with the object and the path
     */
    default String requireString(String path) {
        return requireString(DottedPath.keys(path));
    }

    /**
     * The text at the keys, which has to be there; numbers and booleans as they are written.
     *
     * @throws NoSuchElementException if there is none, with the object and the path
     */
    String requireString(List<String> keys);

    /** The text at the path, or the given one. */
    default String getString(String path, String otherwise) {
        return getString(DottedPath.keys(path), otherwise);
    }

    /** The text at the keys, or the given one. */
    default String getString(List<String> keys, String otherwise) {
        return getString(keys).orElse(otherwise);
    }

    /** The whole number at the path, or the given one. */
    default int getInt(String path, int otherwise) {
        return getInt(DottedPath.keys(path), otherwise);
    }

    /** The whole number at the keys, or the given one. */
    default int getInt(List<String> keys, int otherwise) {
        return get(keys, Integer.class).orElse(otherwise);
    }

    /** The whole number at the path, or the given one. */
    default long getLong(String path, long otherwise) {
        return getLong(DottedPath.keys(path), otherwise);
    }

    /** The whole number at the keys, or the given one. */
    default long getLong(List<String> keys, long otherwise) {
        return get(keys, Long.class).orElse(otherwise);
    }

    /** The number at the path, or the given one. */
    default double getDouble(String path, double otherwise) {
        return getDouble(DottedPath.keys(path), otherwise);
    }

    /** The number at the keys, or the given one. */
    default double getDouble(List<String> keys, double otherwise) {
        return get(keys, Double.class).orElse(otherwise);
    }

    /** The boolean at the path, or the given one. */
    default boolean getBoolean(String path, boolean otherwise) {
        return getBoolean(DottedPath.keys(path), otherwise);
    }

    /** The boolean at the keys, or the given one. */
    default boolean getBoolean(List<String> keys, boolean otherwise) {
        return get(keys, Boolean.class).orElse(otherwise);
    }

    /** The list at the path; empty if there is none. */
    default List<Object> getList(String path) {
        return getList(DottedPath.keys(path));
    }

    /** The list at the keys; empty if there is none. */
    List<Object> getList(List<String> keys);

    /**
     * The elements of the list at the path as views, in their order; empty if there is no list. An element that is not
     * a mapping is an empty view.
     */
    default List<View> getViews(String path) {
        return getViews(DottedPath.keys(path));
    }

    /** The same for the list at the keys. */
    List<View> getViews(List<String> keys);

    /** The mapping at the path; empty if there is none. */
    default Map<String, Object> getMap(String path) {
        return getMap(DottedPath.keys(path));
    }

    /** The mapping at the keys; empty if there is none. */
    Map<String, Object> getMap(List<String> keys);

    /** True if nothing is in it. */
    boolean isEmpty();

    /** All of it, unmodifiable. */
    Map<String, Object> toMap();

    /** A copy of all of it that may be changed, with its maps and lists all the way down; nulls stay in it. */
    Map<String, @Nullable Object> toMutableMap();

    /** All of it as compact JSON. */
    String toJson();

    /** All of it as a record, bean, map or model; unknown fields are ignored. */
    <T> T as(Class<T> type);

    /** The same for types with arguments: {@code as(new TypeRef<Map<String, Port>>() {})}. */
    <T> T as(TypeRef<T> type);
}
