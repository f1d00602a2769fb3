package dev.kopf4j.engine.registry;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a handler annotation by their names: the annotations share most of them, but no type. Immutable.
 *
 * @param annotation the annotation
 */
record Attributes(Annotation annotation) {
    /** The text of an attribute; empty if the annotation does not have it. */
    String text(String name) {
        return value(name) instanceof String text ? text : "";
    }

    String[] texts(String name) {
        return value(name) instanceof String[] texts ? texts : new String[0];
    }

    boolean flag(String name) {
        return value(name) instanceof Boolean flag && flag;
    }

    int number(String name, int otherwise) {
        return value(name) instanceof Integer number ? number : otherwise;
    }

    Optional<Class<?>> type(String name) {
        return value(name) instanceof Class<?> type && type != void.class ? Optional.of(type) : Optional.empty();
    }

    @Nullable Object value(String name) {
        try {
            return annotation.annotationType().getMethod(name).invoke(annotation);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read attribute " + name + " of " + annotation, e);
        }
    }

    /** For messages: {@code @OnCreate}. */
    @Override
    public String toString() {
        return "@" + annotation.annotationType().getSimpleName();
    }
}
