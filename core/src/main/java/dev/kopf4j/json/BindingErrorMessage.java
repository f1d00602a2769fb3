package dev.kopf4j.json;

import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Makes the message of a failed binding: the place, what was found, and what was expected or what the type's own
 * constructor said. Pure.
 */
final class BindingErrorMessage {
    private BindingErrorMessage() {}

    static String nothingToBind(FieldPath at, Type type) {
        return place(at.toString()) + ": expected " + name(type) + ", but found null";
    }

    static String message(FieldPath at, JsonNode root, Type type, JacksonException e) {
        String place = place(dotted(at, e.getPath()));
        if (e instanceof ValueInstantiationException refused && refused.getCause() != null) {
            return place + ": refused by " + name(refused.getType()) + ": "
                    + refused.getCause().getMessage();
        }
        return place + ": expected " + name(expected(type, e)) + ", but found "
                + ValueExcerpt.of(found(root, e.getPath()));
    }

    private static Type expected(Type type, JacksonException e) {
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return mismatch.getTargetType();
        }
        return type;
    }

    private static String name(Type type) {
        if (type instanceof JavaType resolved) {
            return name(resolved.getRawClass());
        }
        if (type instanceof Class<?> raw) {
            return raw.isEnum() ? "one of " + List.of(raw.getEnumConstants()) : raw.getSimpleName();
        }
        return type.getTypeName();
    }

    private static String place(String path) {
        return path.isEmpty() ? "the value itself" : path;
    }

    private static String dotted(FieldPath at, List<JacksonException.Reference> path) {
        StringBuilder dotted = new StringBuilder(at.toString());
        for (JacksonException.Reference step : path) {
            if (step.getPropertyName() == null) {
                dotted.append('[').append(step.getIndex()).append(']');
            } else {
                dotted.append(dotted.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return dotted.toString();
    }

    private static @Nullable JsonNode found(JsonNode root, List<JacksonException.Reference> path) {
        JsonNode found = root;
        for (JacksonException.Reference step : path) {
            found = step.getPropertyName() == null ? found.path(step.getIndex()) : found.path(step.getPropertyName());
        }
        return found;
    }
}
