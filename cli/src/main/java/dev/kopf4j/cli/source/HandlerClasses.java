package dev.kopf4j.cli.source;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.cli.library.UnloadableClass;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Finds the classes with handlers. Pure. */
final class HandlerClasses {
    private HandlerClasses() {}

    /** Returns the class and its nested classes that have handlers. */
    static Stream<Class<?>> in(Class<?> type) {
        try {
            return withNested(type).filter(HandlerClasses::declaresHandlers).toList().stream();
        } catch (LinkageError | TypeNotPresentException e) {
            throw UnloadableClass.because(type.getName() + ", or one nested in it", e);
        }
    }

    /** Returns the class and all nested ones. */
    static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Arrays.stream(type.getDeclaredClasses()).flatMap(HandlerClasses::withNested));
    }

    /**
     * The abstract classes and interfaces with handlers that no class inherits: static ones of them can be called, and
     * the operator refuses others. Of two of which one extends the other, the heir alone, which has the handlers of
     * both.
     *
     * @param all the classes that may inherit from them
     * @param staticOnly true if others than static handlers are left to those who use the library
     */
    static Stream<Class<?>> withUninherited(List<Class<?>> types, List<Class<?>> all, boolean staticOnly) {
        List<Class<?>> found = types.stream()
                .filter(type -> annotated(type)
                        .filter(method -> !staticOnly || Modifier.isStatic(method.getModifiers()))
                        .anyMatch(method -> all.stream().noneMatch(other -> inherits(other, method))))
                .toList();
        return found.stream()
                .filter(type -> type.isInterface()
                        || found.stream().noneMatch(heir -> heir != type && type.isAssignableFrom(heir)));
    }

    private static Stream<Method> annotated(Class<?> type) {
        if (!Modifier.isAbstract(type.getModifiers()) || type.isAnnotationPresent(ExplicitRegistration.class)) {
            return Stream.empty();
        }
        try {
            return Arrays.stream(type.getDeclaredMethods()).filter(HandlerMethods::isAnnotated);
        } catch (LinkageError | TypeNotPresentException e) {
            throw UnloadableClass.because(type.getName(), e);
        }
    }

    private static boolean inherits(Class<?> heir, Method method) {
        Class<?> type = method.getDeclaringClass();
        return !Modifier.isAbstract(heir.getModifiers())
                && type.isAssignableFrom(heir)
                && !(type.isInterface() && Modifier.isStatic(method.getModifiers()));
    }

    /** Whether the operator would find a handler in a class that was loaded. */
    static boolean hasHandlers(Class<?> type) {
        try {
            return declaresHandlers(type);
        } catch (LinkageError | TypeNotPresentException e) {
            throw UnloadableClass.because(type.getName() + ", or an interface of it", e);
        }
    }

    /**
     * Inherited handlers belong to the concrete class; an abstract class has no instance to call them on. A class whose
     * annotations are lost counts, so that the operator refuses it.
     */
    private static boolean declaresHandlers(Class<?> type) {
        return !type.isInterface()
                && !Modifier.isAbstract(type.getModifiers())
                && !type.isAnnotationPresent(ExplicitRegistration.class)
                && (HandlerMethods.of(type).stream().anyMatch(HandlerMethods::isAnnotated)
                        || !HandlerMethods.lostAnnotations(type).isEmpty());
    }
}
