package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** The one instance of a handler class and operator: given by the user, or made when an instance method needs it. */
final class HandlerInstance {
    private final Class<?> type;
    private @Nullable Object instance;

    /** The instance that was given, or one of the class that was given. */
    HandlerInstance(Object beanOrClass) {
        this.type = HandlerMethods.written(beanOrClass);
        this.instance = beanOrClass instanceof Class<?> ? null : beanOrClass;
    }

    Class<?> type() {
        return type;
    }

    /**
     * The instance to call the method of; null for static methods.
     *
     * @throws HandlerDeclarationException if one is needed, and cannot be made
     */
    @Nullable Object of(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        Object known = instance;
        if (known == null) {
            known = construct(method);
            instance = known;
        }
        return known;
    }

    private Object construct(Method method) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " is a handler of the abstract class " + type.getName()
                            + "; register a class that extends it, or make the method static");
        }
        if (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) {
            throw new HandlerDeclarationException(type.getName() + " is an inner class, which only an instance of "
                    + type.getEnclosingClass().getSimpleName() + " can make; make it static, or register an instance");
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new HandlerDeclarationException(
                    type.getName() + " has no constructor without arguments; add one, or register an instance: new "
                            + type.getSimpleName() + "(...)",
                    e);
        } catch (InvocationTargetException e) {
            throw new HandlerDeclarationException(
                    "the constructor of " + type.getName() + " has failed: " + e.getCause(), e);
        } catch (InstantiationException | IllegalAccessException | InaccessibleObjectException e) {
            throw new HandlerDeclarationException(
                    "no instance of " + type.getName() + " can be made: " + e.getMessage(), e);
        }
    }
}
