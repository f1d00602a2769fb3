package dev.kopf4j.cli.library;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

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
