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
     */
    static Stream<Class<?>> withUninherited(List<Class<?>> types, List<Class<?>> all) {
        return lastOnes(types.stream()
                .filter(type -> uninherited(type, all).findAny().isPresent())
                .toList());
    }

    /** Those of a library that the operator can call: who only uses it can mend none that would be refused. */
    static Stream<Class<?>> withCallableUninherited(List<Class<?>> types, List<Class<?>> all) {
        return lastOnes(types.stream()
                .filter(type -> uninherited(type, all).findAny().isPresent() && needsNoInstance(type))
                .toList());
    }

    /** The static handlers of a library that are not called, as others beside them need an instance. */
    static Stream<Method> passedOver(List<Class<?>> types, List<Class<?>> all) {
        List<Class<?>> taken = withCallableUninherited(types, all).toList();
        return types.stream()
                .flatMap(type -> uninherited(type, all))
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .filter(method -> taken.stream().noneMatch(type -> has(type, method)));
    }

    private static Stream<Class<?>> lastOnes(List<Class<?>> found) {
        return found.stream()
                .filter(type -> type.isInterface()
                        || found.stream().noneMatch(heir -> heir != type && type.isAssignableFrom(heir)));
    }

    private static Stream<Method> uninherited(Class<?> type, List<Class<?>> all) {
        return annotated(type).filter(method -> all.stream().noneMatch(other -> inherits(other, method)));
    }

    private static boolean needsNoInstance(Class<?> type) {
        return HandlerMethods.lostAnnotations(type).isEmpty()
                && HandlerMethods.of(type).stream()
                        .filter(HandlerMethods::isAnnotated)
                        .allMatch(method -> Modifier.isStatic(method.getModifiers()));
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
        return !Modifier.isAbstract(heir.getModifiers()) && has(heir, method);
    }

    private static boolean has(Class<?> type, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return type == declaring
                || (declaring.isAssignableFrom(type)
                        && !(declaring.isInterface() && Modifier.isStatic(method.getModifiers())));
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
