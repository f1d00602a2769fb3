package dev.kopf4j;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A type with arguments, which no {@code Class} can name: {@code new TypeRef<Map<String, Port>>() {}}, with the braces.
 * Two are equal if their types are. Immutable.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
    private final Type type;

    /**
     * The type is the argument of the class that extends this one.
     *
     * @throws IllegalStateException if that class gives none: {@code new TypeRef() {}}
     */
    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType extended)
                || extended.getRawType() != TypeRef.class) {
            throw new IllegalStateException(getClass().getName()
                    + " names no type; write it as in new TypeRef<Map<String, Integer>>() {}, with the braces");
        }
        this.type = extended.getActualTypeArguments()[0];
    }

    private TypeRef(Type type) {
        this.type = type;
    }

    static <T> TypeRef<T> of(Class<T> type) {
        return new Known<>(type);
    }

    /** A type that is known at run time only, such as that of a method's parameter. */
    public static TypeRef<?> of(Type type) {
        return new Known<>(type);
    }

    /** The type. */
    public final Type type() {
        return type;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof TypeRef<?> that && type.equals(that.type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    /** The type as it is written in code, with the full names of its classes. */
    @Override
    public final String toString() {
        return type.getTypeName();
    }

    private static final class Known<T> extends TypeRef<T> {
        private Known(Type type) {
            super(type);
        }
    }
}
