package dev.kopf4j.cli.source;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnCreate;
import dev.kopf4j.cli.library.UnloadableClass;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

/** Finds the classes with handlers. Pure. */
final class HandlerClasses {
    private HandlerClasses() {}

    /** Returns the class and its nested classes that have handlers. */
    static Stream<Class<?>> in(Class<?> type) {
        try {
            return withNested(type).filter(HandlerClasses::hasHandlers).toList().stream();
        } catch (LinkageError | TypeNotPresentException e) {
            throw UnloadableClass.because(type.getName() + ", or one nested in it", e);
        }
    }

    /** Returns the class and all nested ones. */
    static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Arrays.stream(type.getDeclaredClasses()).flatMap(HandlerClasses::withNested));
    }

    /** Inherited handlers belong to the concrete class; an abstract class has no instance to call them on. */
    private static boolean hasHandlers(Class<?> type) {
        if (type.isInterface()
                || Modifier.isAbstract(type.getModifiers())
                || type.isAnnotationPresent(ExplicitRegistration.class)) {
            return false;
        }
        return Stream.<Class<?>>iterate(type, ancestor -> ancestor != null, Class::getSuperclass)
                .flatMap(ancestor -> Arrays.stream(ancestor.getDeclaredMethods()))
                .anyMatch(HandlerClasses::isAnnotated);
    }

    private static boolean isAnnotated(AnnotatedElement method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type.getPackage() == OnCreate.class.getPackage());
    }
}
