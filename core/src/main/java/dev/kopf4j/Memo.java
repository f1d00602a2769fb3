package dev.kopf4j;

import java.io.Serial;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What handlers remember in memory: values by names. All handlers of one object share its memo, whatever they are
 * called for, and no other object's handlers see it. It is lost with the object and with the process: what must outlive
 * them belongs in the status or in annotations.
 *
 * <p>The memo of an object begins as a copy of the operator's: the same values under the same names. Thread-safe; names
 * and values are not null.
 *
 * @see OperatorBuilder#memo(Memo)
 */
public final class Memo extends ConcurrentHashMap<String, Object> {
    @Serial
    private static final long serialVersionUID = 1L;

    /** An empty memo. */
    public Memo() {}

    /**
     * Keeps a value.
     *
     * @throws NullPointerException if it is null; {@code remove} takes a value out
     */
    @Override
    public @Nullable Object put(String name, Object value) {
        return super.put(name, present(name, value));
    }

    /**
     * Keeps a value unless there is one.
     *
     * @throws NullPointerException if it is null
     */
    @Override
    public @Nullable Object putIfAbsent(String name, Object value) {
        return super.putIfAbsent(name, present(name, value));
    }

    private static Object present(String name, Object value) {
        return Objects.requireNonNull(
                value, () -> "the value of '" + name + "' is null: memo.remove(\"" + name + "\") takes it out");
    }

    /** Another memo with the same values, which are not copied themselves. */
    public Memo copy() {
        Memo copy = new Memo();
        copy.putAll(this);
        return copy;
    }

    /**
     * The value of a name; empty if there is none.
     *
     * @throws ClassCastException if it is of another type, which the message names
     */
    public <T> Optional<T> get(String name, Class<T> type) {
        return Optional.ofNullable(get(name)).map(value -> cast(name, value, type));
    }

    /**
     * The value of a name that must be there.
     *
     * @throws NoSuchElementException if there is none; the message names those that are there
     * @throws ClassCastException if it is of another type, which the message names
     */
    public <T> T require(String name, Class<T> type) {
        return get(name, type)
                .orElseThrow(() -> new NoSuchElementException("the memo has no '" + name + "'; it has "
                        + keySet().stream().sorted().toList()));
    }

    /**
     * The value of a name, made and kept if there is none; made once, even if several threads ask.
     *
     * @throws ClassCastException if it is of another type, which the message names
     */
    public <T> T computeIfAbsent(String name, Class<T> type, Supplier<? extends T> make) {
        return cast(name, computeIfAbsent(name, key -> make.get()), type);
    }

    /**
     * Replaces the value of a name in one step, as in {@code int count = memo.update("count", 0, n -> n + 1)}.
     *
     * @param initial what is changed if there is no value
     * @return the new value
     * @throws ClassCastException if the value is of another type than the initial one; if that is text, a number or a
     *     truth value, the message names both
     */
    @SuppressWarnings("unchecked") // the change casts it, as the class of a T is not known
    public <T> T update(String name, T initial, UnaryOperator<T> change) {
        // Of others the class tells nothing: lists of one type are of many, and so are a sealed type's records.
        Class<?> type = initial.getClass().getPackageName().equals("java.lang") ? initial.getClass() : Object.class;
        Object updated =
                compute(name, (key, value) -> change.apply(value == null ? initial : (T) cast(name, value, type)));
        return (T) updated;
    }

    private static <T> T cast(String name, Object value, Class<T> type) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw new ClassCastException(
                "'" + name + "' in the memo is of the type " + value.getClass().getName() + ", not " + type.getName());
    }
}
