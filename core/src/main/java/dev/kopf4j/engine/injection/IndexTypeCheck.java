package dev.kopf4j.engine.injection;

import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an index function can return values of the types that a parameter {@code Index<K, V>} declares. Only
 * types that can never fit are a mistake. Pure.
 */
final class IndexTypeCheck {
    private IndexTypeCheck() {}

    /**
     * What is wrong.
     *
     * @param parameter the type of the parameter
     * @return words for people; null if nothing is
     */
    static @Nullable String mistake(Type parameter, DeclaredIndices.Function function) {
        if (!(parameter instanceof ParameterizedType generic)) {
            return null;
        }
        Class<?> key = raw(generic.getActualTypeArguments()[0]);
        Class<?> value = raw(generic.getActualTypeArguments()[1]);
        Type returned = unwrapped(function.returned());
        Class<?> result = raw(returned);
        if (Map.class.isAssignableFrom(result)) {
            return returned instanceof ParameterizedType map && map.getActualTypeArguments().length == 2
                    ? keyed(key, value, map, function)
                    : null;
        }
        return result.isAssignableFrom(Map.class) ? null : plain(key, value, result, function);
    }

    private static @Nullable String keyed(
            Class<?> key, Class<?> value, ParameterizedType map, DeclaredIndices.Function function) {
        Class<?> foundKey = raw(map.getActualTypeArguments()[0]);
        Class<?> foundValue = raw(map.getActualTypeArguments()[1]);
        if (areStrange(key, foundKey)) {
            return says(function) + " has keys of the type " + foundKey.getSimpleName() + ", never "
                    + key.getSimpleName() + "; take " + shown(foundKey, foundValue);
        }
        return areStrange(value, foundValue)
                ? says(function) + " has values of the type " + foundValue.getSimpleName() + ", never "
                        + value.getSimpleName() + "; take " + shown(foundKey, foundValue)
                : null;
    }

    private static @Nullable String plain(
            Class<?> key, Class<?> value, Class<?> result, DeclaredIndices.Function function) {
        if (key != Void.class && key != Object.class) {
            return says(function) + " returns no maps but plain values, which are all under the key null; take "
                    + shown(Void.class, result);
        }
        return areStrange(value, result)
                ? says(function) + " has values of the type " + result.getSimpleName() + ", never "
                        + value.getSimpleName() + "; take " + shown(Void.class, result)
                : null;
    }

    private static String says(DeclaredIndices.Function function) {
        return "index '" + function.id() + "' of " + function.where();
    }

    private static String shown(Class<?> key, Class<?> value) {
        return "Index<" + key.getSimpleName() + ", " + value.getSimpleName() + ">";
    }

    /** True if no object can be of both types, as far as their classes tell. */
    private static boolean areStrange(Class<?> one, Class<?> other) {
        return !one.isAssignableFrom(other)
                && !other.isAssignableFrom(one)
                && !one.isInterface()
                && !other.isInterface();
    }

    private static Type unwrapped(Type type) {
        return raw(type) == Optional.class && type instanceof ParameterizedType optional
                ? optional.getActualTypeArguments()[0]
                : type;
    }

    private static Class<?> raw(Type type) {
        Class<?> found = switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType());
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
            case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
            default -> Object.class;
        };
        return MethodType.methodType(found).wrap().returnType();
    }
}
