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
     * Whether it is an abstract class or an interface with a handler that no class inherits: a static one of it can be
     * called, and the operator refuses another.
     *
     * @param all the classes that may inherit from it
     */
    static boolean hasUninherited(Class<?> type, List<Class<?>> all) {
        return annotated(type).anyMatch(method -> all.stream().noneMatch(other -> inherits(other, method)));
    }

    /** Whether all handlers of an abstract class or interface are static, so that they need no instance. */
    static boolean isStatic(Class<?> type) {
        return annotated(type).allMatch(method -> Modifier.isStatic(method.getModifiers()));
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
