package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Index;
import dev.kopf4j.IndexId;
import dev.kopf4j.Memo;
import dev.kopf4j.MemoryAccess;
import dev.kopf4j.engine.injection.InjectableTypes.DeclaredIndices;
import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides which parameters get memos and indices, whatever the method handles. Pure. */
final class MemoAndIndexBinders {
    private final Method method;
    private final InjectableTypes injectableTypes;

    MemoAndIndexBinders(Method method, InjectableTypes injectableTypes) {
        this.method = method;
        this.injectableTypes = injectableTypes;
    }

    /** What the parameter gets; empty if it is neither. */
    Optional<Function<MemoryAccess, @Nullable Object>> of(Parameter parameter) {
        return parameter.getType() == Index.class ? Optional.of(index(parameter)) : memo(parameter);
    }

    private Function<MemoryAccess, @Nullable Object> index(Parameter parameter) {
        IndexId given = parameter.getAnnotation(IndexId.class);
        if (given == null && !parameter.isNamePresent()) {
            throw mistake(
                    parameter,
                    "the name says which index, but it is not known, as the class was compiled without -parameters: add"
                            + " that option to javac, or @IndexId(\"...\")");
        }
        String id = given == null ? parameter.getName() : given.value();
        List<DeclaredIndices.Function> functions = injectableTypes.indices().of(id);
        if (functions.isEmpty()) {
            Set<String> known = injectableTypes.indices().ids();
            throw mistake(
                    parameter,
                    "there is no index '" + id + "'; "
                            + (known.isEmpty() ? "there are none at all: declare it by @OnIndex" : "there are " + known)
                            + "; the parameter's name, or @IndexId, is the id of the index");
        }
        functions.forEach(function -> refuseMistake(parameter, function));
        return context -> context.index(id);
    }

    private void refuseMistake(Parameter parameter, DeclaredIndices.Function function) {
        String problem = IndexTypeCheck.mistake(parameter.getParameterizedType(), function);
        if (problem != null) {
            throw mistake(parameter, problem);
        }
    }

    private Optional<Function<MemoryAccess, @Nullable Object>> memo(Parameter parameter) {
        Class<?> type = parameter.getType();
        Class<?> memo = injectableTypes.memo();
        boolean named = parameter.isNamePresent() && parameter.getName().equals("memo");
        if (type == memo || (named && type.isAssignableFrom(memo))) {
            return Optional.of(context -> context.memo(memo));
        }
        if (named || type == Memo.class) {
            throw mistake(
                    parameter,
                    "the memos of this operator are of the class " + memo.getName()
                            + "; take that, or give another one to OperatorBuilder.memo");
        }
        return type != Object.class && type.isAssignableFrom(memo) && !isCommon(type)
                ? Optional.of(context -> context.memo(memo))
                : Optional.empty();
    }

    /** Interfaces of the JDK that a memo's class may implement, but by which nobody asks for the memo. */
    private static boolean isCommon(Class<?> type) {
        return type.getName().startsWith("java.");
    }

    private HandlerDeclarationException mistake(Parameter parameter, String problem) {
        return HandlerMethods.mistake(method, parameter, problem);
    }

    /**
     * Checks whether an index function can return values of the types that a parameter {@code Index<K, V>} declares.
     * Only types that can never fit are a mistake. Pure.
     */
    static final class IndexTypeCheck {
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
                case GenericArrayType array ->
                    raw(array.getGenericComponentType()).arrayType();
                default -> Object.class;
            };
            return MethodType.methodType(found).wrap().returnType();
        }
    }
}
