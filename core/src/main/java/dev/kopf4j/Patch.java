package dev.kopf4j;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler wants to be changed in its object. Sent together with the handler's progress once the cycle ends, also
 * if the handler fails.
 *
 * <p>Belongs to one call of one handler: confined to its thread. Made by the framework; not to be implemented.
 */
public interface Patch {
    /**
     * Sets the value at a dotted path; null removes it.
     *
     * @param value what {@link View#get(String)} gives, or a record, bean, enum, time: anything that can be written as
     *     JSON
     */
    Patch set(String path, @Nullable Object value);

    /** Sets the value at the keys, one below the other; null removes it. */
    Patch set(List<String> keys, @Nullable Object value);

    /** Removes the value at a dotted path. */
    default Patch remove(String path) {
        return set(path, null);
    }

    /** Removes the value at the keys, one below the other. */
    default Patch remove(List<String> keys) {
        return set(keys, null);
    }

    /** Merges a fragment of an object, as a JSON merge patch does (RFC 7386): nulls remove. */
    Patch merge(Map<String, ? extends @Nullable Object> fragment);

    /** The same below {@code spec}. */
    Patch spec();

    /** The same below {@code status}. */
    Patch status();

    /**
     * Makes a record, bean or map the status: what differs is set, and nothing if nothing does. Fields that are null in
     * it, or an empty {@code Optional}, are removed, entries of mappings that are not in it, too; fields that its type
     * does not have stay, also in nested records and in elements of lists, and so do the conditions where they are
     * null.
     *
     * @throws IllegalArgumentException if it has no fields, such as a number
     */
    Patch status(Object status);

    /** The same below {@code metadata}. */
    Patch meta();

    /** Sets a label; null removes it. */
    Patch label(String key, @Nullable String value);

    /** Sets an annotation; null removes it. */
    Patch annotation(String key, @Nullable String value);

    /**
     * Changes the freshest known state of the whole object in place: for what merging cannot express, such as one
     * element of a list. Called after the merge part was sent, and again with a newer state if the object has changed
     * meanwhile: it must be idempotent. Maps and lists in the argument are mutable.
     */
    Patch transform(Consumer<Map<String, @Nullable Object>> change);

    /**
     * How many transformations wait to be sent: those of this handler, those of the handlers before it in the cycle,
     * and those of earlier cycles that could not be sent, as the object had changed meanwhile.
     */
    int pendingTransformations();

    /** True if nothing is to be changed. */
    boolean isEmpty();

    /**
     * What was set at a dotted path so far, by this handler; empty if nothing was, or it is to be removed. What the
     * object has is not looked at.
     */
    default Optional<Object> get(String path) {
        Object found = toMap();
        for (String key : DottedPath.keys(path)) {
            found = found instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return Optional.ofNullable(found);
    }

    /** The merge part below this point, unmodifiable; removals are nulls. */
    Map<String, @Nullable Object> toMap();
}
