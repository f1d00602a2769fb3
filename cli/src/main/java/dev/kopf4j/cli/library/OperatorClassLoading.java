package dev.kopf4j.cli.library;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Loads the classes that were found, and what their handlers need to be declared. Thread-safe. */
public record OperatorClassLoading(ClassLoader loader) {
    /**
     * Loads a class, but does not initialise it.
     *
     * @throws dev.kopf4j.cli.process.CommandException if something is missing that it needs; the message has its name
     */
    public Class<?> load(FoundClass found) {
        try {
            Class<?> type = Class.forName(found.name(), false, loader);
            Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                    .forEach(OperatorClassLoading::loadSignatures);
            return type;
        } catch (ClassNotFoundException | LinkageError | TypeNotPresentException e) {
            throw UnloadableClass.because(description(found), e);
        }
    }

    /**
     * True if the value is of a class that the operator has: not one of the same name that was loaded before. So must
     * be the elements of collections, maps and arrays.
     */
    public boolean has(@Nullable Object value) {
        return value == null || (isLoaded(value.getClass()) && elements(value).allMatch(this::has));
    }

    private boolean isLoaded(Class<?> type) {
        try {
            return type.isPrimitive() || Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException | LinkageError e) {
            return isOfPlatform(type);
        }
    }

    /** Such as lambdas, which nobody finds by name. */
    private static boolean isOfPlatform(Class<?> type) {
        return type.getClassLoader() == null || type.getClassLoader().equals(ClassLoader.getPlatformClassLoader());
    }

    private static Stream<?> elements(Object value) {
        return switch (value) {
            case Collection<?> all -> all.stream();
            case Map<?, ?> map -> Stream.concat(map.keySet().stream(), map.values().stream());
            case Object[] array -> Arrays.stream(array);
            default -> Stream.empty();
        };
    }

    private static String description(FoundClass found) {
        return found.name() + " of " + found.place() + ", which "
                + (found.hasHandlers() ? "has handlers" : "is a custom resource");
    }

    private static void loadSignatures(Class<?> type) {
        Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .forEach(Executable::getGenericParameterTypes);
        Arrays.stream(type.getDeclaredMethods()).forEach(Method::getGenericReturnType);
    }
}
