package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.text.DurationText;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a handler annotation by their names: the annotations share most of them, but no type. Immutable.
 *
 * @param annotation the annotation
 */
record AnnotationAttributes(Annotation annotation) {
    private static final Pattern NAMES_METHODS = Pattern.compile("when|.*(When|By)");

    /** The text of an attribute; empty if the annotation does not have it. */
    String text(String name) {
        return value(name) instanceof String text ? text : "";
    }

    /** The id of the handler; null if it is to be the method's name. */
    @Nullable String id() {
        String id = text("id");
        return id.isEmpty() ? null : id;
    }

    /** The texts of an attribute; none if the annotation does not have it. */
    String[] texts(String name) {
        return value(name) instanceof String[] texts ? texts : new String[0];
    }

    /** The methods that attributes such as {@code when}, {@code paramBy} and {@code labelWhen} name, by these. */
    Map<String, List<String>> namedMethods() {
        Map<String, List<String>> named = new TreeMap<>();
        for (Method attribute : annotation.annotationType().getDeclaredMethods()) {
            String name = attribute.getName();
            if (NAMES_METHODS.matcher(name).matches()) {
                List<String> texts = Stream.concat(Stream.of(text(name)), Stream.of(texts(name)))
                        .filter(text -> !text.isEmpty())
                        .map(text -> text.substring(text.indexOf('=') + 1))
                        .toList();
                named.put(name, texts);
            }
        }
        return named;
    }

    /** True if the attribute is so; false if the annotation does not have it. */
    boolean flag(String name) {
        return value(name) instanceof Boolean flag && flag;
    }

    /** The number of an attribute, or another one if the annotation does not have it. */
    int number(String name, int otherwise) {
        return value(name) instanceof Integer number ? number : otherwise;
    }

    /** The type of an attribute; empty if the annotation does not have it, or names none. */
    Optional<Class<?>> type(String name) {
        return value(name) instanceof Class<?> type && type != void.class ? Optional.of(type) : Optional.empty();
    }

    /** The duration of an attribute; null if it is not given. */
    @Nullable Duration duration(String name) {
        String text = text(name);
        return text.isEmpty() ? null : AnnotationDurations.parse(text, name);
    }

    /** Gives the duration of an attribute to somebody, if there is one. */
    void ifGiven(String name, Consumer<Duration> option) {
        Duration given = duration(name);
        if (given != null) {
            option.accept(given);
        }
    }

    /** The value of an attribute; null if the annotation does not have it. */
    @Nullable Object value(String name) {
        try {
            return annotation.annotationType().getMethod(name).invoke(annotation);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read attribute " + name + " of " + annotation, e);
        }
    }

    /**
     * Makes something of the annotation; the messages of mistakes say where the annotation stands.
     *
     * @param where what is annotated, for people
     */
    <T extends @Nullable Object> T reading(String where, Supplier<T> made) {
        try {
            return made.get();
        } catch (HandlerDeclarationException e) {
            throw new HandlerDeclarationException(this + " on " + where + ": " + e.getMessage(), e);
        }
    }

    /** For messages: {@code @OnCreate}. */
    @Override
    public String toString() {
        return "@" + annotation.annotationType().getSimpleName();
    }

    /** Reads the durations of annotations. Pure. */
    static final class AnnotationDurations {
        private AnnotationDurations() {}

        /**
         * Reads a duration.
         *
         * @param what what it is for, for the message
         * @throws HandlerDeclarationException if it is none
         */
        static Duration parse(String text, String what) {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException e) {
                throw new HandlerDeclarationException(what + " is " + e.getMessage(), e);
            }
        }
    }
}
