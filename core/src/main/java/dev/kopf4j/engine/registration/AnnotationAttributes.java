package dev.kopf4j.engine.registration;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.handling.declaration.RetryDeclaration;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a handler annotation by their names: the annotations share most of them, but no type. Immutable.
 *
 * @param annotation the annotation
 */
record AnnotationAttributes(Annotation annotation) {
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

    private int number(String name, int otherwise) {
        return value(name) instanceof Integer number ? number : otherwise;
    }

    Optional<Class<?>> type(String name) {
        return value(name) instanceof Class<?> type && type != void.class ? Optional.of(type) : Optional.empty();
    }

    RetryDeclaration retry() {
        return new RetryDeclaration(errors(), duration("timeout"), retries(), duration("backoff"));
    }

    private @Nullable ErrorsMode errors() {
        ErrorsMode[] modes = value("errors") instanceof ErrorsMode[] found ? found : new ErrorsMode[0];
        if (modes.length > 1) {
            throw new HandlerDeclarationException("errors has one mode, not " + Arrays.toString(modes));
        }
        return modes.length == 0 ? null : modes[0];
    }

    @Nullable Duration duration(String name) {
        String text = text(name);
        return text.isEmpty() ? null : AnnotationDurations.parse(text, name);
    }

    private @Nullable Integer retries() {
        int retries = number("retries", -1);
        return retries == -1 ? null : Integer.valueOf(retries);
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
