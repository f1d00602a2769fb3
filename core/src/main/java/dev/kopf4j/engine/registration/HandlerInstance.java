package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one instance of a handler class and operator: given by the user, or made when an instance method needs it. For an
 * operator that is only looked at, that is the first call. Thread-safe.
 */
final class HandlerInstance {
    private final Class<?> type;
    private final @Nullable Object given;
    private final boolean surveyed;
    private @Nullable Object made;

    /**
     * The instance that was given, or one of the class that was given.
     *
     * @param surveyed true if the operator is only looked at: nothing of the class may run before it is called
     */
    HandlerInstance(Object beanOrClass, boolean surveyed) {
        this.type = HandlerMethods.written(beanOrClass);
        this.given = beanOrClass instanceof Class<?> ? null : beanOrClass;
        this.surveyed = surveyed;
    }

    Class<?> type() {
        return type;
    }

    /** Whether the operator is only looked at. */
    boolean isSurveyed() {
        return surveyed;
    }

    /**
     * Which function a method is: of another instance it is another one, however equal the two are, but a static one is
     * the same for all that inherit it. The method is the last element.
     */
    List<Object> identity(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return List.of(method.getDeclaringClass(), method);
        }
        return List.of(given == null ? type : new SameObject(given), method);
    }

    /**
     * An object that equals itself alone: handler classes may be records.
     *
     * @param object the object
     */
    private record SameObject(Object object) {
        @Override
        @SuppressWarnings("ReferenceEquality") // that very object
        public boolean equals(@Nullable Object other) {
            return other instanceof SameObject that && that.object == object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }
    }

    /**
     * Gives the instance to call the method of; null for static methods.
     *
     * @throws HandlerDeclarationException if one is needed, and cannot be made. Where the operator runs, it may be
     *     given one, as by Spring: so if it is only looked at, the constructor is asked for at the first call.
     */
    Supplier<@Nullable Object> of(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return () -> null;
        }
        if (given != null) {
            return () -> given;
        }
        refuseWithoutInstances(method);
        if (surveyed) {
            return () -> made(method);
        }
        Object known = made(method);
        return () -> known;
    }

    /**
     * The same for a method that is called also if the operator is only looked at, such as that of a
     * {@code resourceWhen}.
     *
     * @throws HandlerDeclarationException also if there is no constructor for that
     */
    Supplier<@Nullable Object> forLooks(Method method) {
        if (surveyed && given == null && !Modifier.isStatic(method.getModifiers())) {
            refuseWithoutInstances(method);
            constructor(method);
        }
        return of(method);
    }

    private synchronized Object made(Method method) {
        if (made == null) {
            Constructor<?> constructor = constructor(method);
            Object single = Modifier.isPrivate(constructor.getModifiers()) ? single() : null;
            made = single == null ? construct(constructor) : single;
        }
        return made;
    }

    /** The one instance that the class keeps itself, as each {@code object} of Kotlin does; null if there is none. */
    private @Nullable Object single() {
        try {
            Field field = type.getDeclaredField("INSTANCE");
            if (!Modifier.isStatic(field.getModifiers())
                    || !Modifier.isFinal(field.getModifiers())
                    || field.getType() != type) {
                return null;
            }
            field.setAccessible(true);
            return field.get(null);
        } catch (NoSuchFieldException e) {
            return null;
        } catch (LinkageError e) {
            throw new HandlerDeclarationException("no instance of " + type.getName() + " can be made: " + e, e);
        } catch (InaccessibleObjectException | IllegalAccessException e) {
            throw noneCanBeMade(e);
        }
    }

    private void refuseWithoutInstances(Method method) {
        if (type.isEnum()) {
            throw new HandlerDeclarationException(type.getName() + " is an enum, of which nobody makes an instance;"
                    + " register one of its constants, or make " + HandlerMethods.describe(method) + " static");
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new HandlerDeclarationException(HandlerMethods.describe(method)
                    + (type.isInterface()
                            ? " is a handler of the interface " + type.getName() + "; register a class that implements"
                                    + " it, and keep static handlers in a type of their own"
                            : " is a handler of the abstract class " + type.getName()
                                    + "; register a class that extends it, or make the method static"));
        }
        if (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) {
            throw new HandlerDeclarationException(type.getName() + " is an inner class, which only an instance of "
                    + type.getEnclosingClass().getSimpleName() + " can make; make it static, or register an instance");
        }
    }

    private Constructor<?> constructor(Method method) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new HandlerDeclarationException(
                    type.getName() + " has no constructor without arguments"
                            + (surveyed
                                    ? ", but " + HandlerMethods.describe(method)
                                            + " is called also where the operator is"
                                            + " only looked at; make that method static, or add a constructor"
                                    : "; add one, or register an instance: new " + type.getSimpleName() + "(...)"),
                    e);
        } catch (InaccessibleObjectException e) {
            throw noneCanBeMade(e);
        }
    }

    private Object construct(Constructor<?> constructor) {
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new HandlerDeclarationException(
                    "the constructor of " + type.getName() + " has failed: " + e.getCause(), e);
        } catch (ExceptionInInitializerError e) {
            throw new HandlerDeclarationException(
                    "a static initializer that " + type.getName() + " needs has failed: " + e.getCause(), e);
        } catch (LinkageError e) {
            throw new HandlerDeclarationException("no instance of " + type.getName() + " can be made: " + e, e);
        } catch (InstantiationException | IllegalAccessException e) {
            throw noneCanBeMade(e);
        }
    }

    private HandlerDeclarationException noneCanBeMade(Exception e) {
        return new HandlerDeclarationException(
                "no instance of " + type.getName() + " can be made: " + e.getMessage(), e);
    }
}
