package dev.kopf4j.cli.library;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the classes that were found, and what their handlers need to be declared. Thread-safe. */
public record OperatorClassLoading(ClassLoader loader) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.cli");

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
     * be the elements of collections, maps and arrays, all the way down. False if the code of the value fails when it
     * is looked through: that may be anybody's, and somebody may still change it.
     */
    public boolean has(@Nullable Object value) {
        try {
            return value == null || hasAllOf(value);
        } catch (RuntimeException | StackOverflowError e) {
            log.debug(
                    "A value of {} cannot be looked through.", value.getClass().getName(), e);
            return false;
        }
    }

    /** Values may contain themselves, and go deeper than a stack. */
    private boolean hasAllOf(Object value) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(List.of(value));
        while (!open.isEmpty()) {
            Object each = open.pop();
            if (seen.add(each)) {
                if (!isLoaded(each.getClass())) {
                    return false;
                }
                elements(each).filter(Objects::nonNull).forEach(open::push);
            }
        }
        return true;
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
            case Collection<?> all -> Arrays.stream(all.toArray()); // that of lists does not mind a change meanwhile
            case Map<?, ?> map -> Stream.concat(elements(map.keySet()), elements(map.values()));
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
