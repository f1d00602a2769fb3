package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.View;
import dev.kopf4j.engine.conversion.DefinitionConverter.ConversionFailure;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.JsonView;
import dev.kopf4j.object.UnknownFields;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets a function convert a part of an object. Immutable.
 *
 * @param function the function
 * @param lost hears of fields that are lost, by their paths
 */
record PartConversion(ConversionFunction function, Consumer<String> lost) {
    /**
     * Converts the part.
     *
     * @param part the part as a view
     * @param input the same as a tree, which stays as it is
     * @param body the whole object as it comes
     * @return the part in the other version, new
     */
    ObjectNode convert(View part, ObjectNode input, Body body) throws ConversionFailure, InterruptedException {
        Object bound = bound(part);
        // Before the call: functions may change beans and models.
        ObjectNode seen = seen(bound);
        Object returned = call(bound, body);
        ObjectNode output = json(returned, "what " + function.code().source() + " has returned cannot be used: ");
        if (seen != null) {
            List<String> without = UnknownFields.keep(input, seen, output, at());
            without.forEach(lost);
            tellTakenOff(bound, seen, output);
        }
        if (!meansItsNulls(returned)) {
            removeAbsent(output, input);
        }
        return output;
    }

    /**
     * What is left out of the metadata stays, but models write no empty mapping: labels or annotations that the
     * function has taken off the input, all of them, are to go.
     */
    private void tellTakenOff(Object bound, ObjectNode seen, ObjectNode output) throws ConversionFailure {
        if (function.part() != ConversionFunction.Part.BODY || !(output.get("metadata") instanceof ObjectNode made)) {
            return;
        }
        ObjectNode input = null;
        for (String field : List.of("labels", "annotations")) {
            if (!made.hasNonNull(field) && !seen.path("metadata").path(field).isEmpty()) {
                input = input == null ? json(bound, "what is left of the input cannot be looked at: ") : input;
                if (input.path("metadata").path(field).isEmpty()) {
                    made.putObject(field);
                }
            }
        }
    }

    private String at() {
        return function.part() == ConversionFunction.Part.BODY
                ? ""
                : function.part().key();
    }

    private Object bound(View part) throws ConversionFailure {
        try {
            Object bound = ValueBinding.bind(
                    part, function.code().type(), () -> "the " + function.part().key());
            return bound == null ? part : bound;
        } catch (RuntimeException e) {
            throw new ConversionFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /** What the type knows of the part; null if that does not matter. */
    private @Nullable ObjectNode seen(Object bound) throws ConversionFailure {
        return function.code().dropUnknown() || bound instanceof View
                ? null
                : json(
                        bound,
                        "which fields " + function.code().type().getTypeName()
                                + " does not know cannot be told, so that they could be lost (dropUnknown allows that): ");
    }

    private static ObjectNode json(@Nullable Object value, String words) throws ConversionFailure {
        try {
            return mapping(value);
        } catch (ConversionFailure e) {
            throw new ConversionFailure(words + e.getMessage(), e.getCause());
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            Throwable told = Platform.tellable(e);
            throw new ConversionFailure(words + told, told);
        }
    }

    /** Whatever the user's code does: it must not end the server. */
    private @Nullable Object call(Object bound, Body body) throws ConversionFailure, InterruptedException {
        try {
            return function.code().invoker().convert(bound, body);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable thrown) {
            TaskEndError.letThrough(thrown);
            Throwable e = Platform.meant(thrown);
            String message = Platform.message(e);
            if (e instanceof PermanentException || e instanceof TemporaryException) {
                throw new ConversionFailure(String.valueOf(message), Platform.tellable(e));
            }
            String name = e.getClass().getSimpleName();
            // The message of an error is often a mere name, such as that of a missing class.
            String what =
                    message == null || message.isEmpty() ? name : e instanceof Error ? name + ": " + message : message;
            throw new ConversionFailure("the " + function.part().key() + ": " + what, Platform.tellable(e));
        }
    }

    /** The JSON of a value, new. */
    private static ObjectNode mapping(@Nullable Object value) throws ConversionFailure {
        if (value == null) {
            throw new ConversionFailure("nothing was returned; return a record, a bean, a model, a view or a map");
        }
        try {
            if (tree(value) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonConversionException e) {
            throw new ConversionFailure(String.valueOf(e.getMessage()), e);
        }
        throw new ConversionFailure("a " + value.getClass().getName()
                + " is no mapping; return a record, a bean, a model, a view or a map");
    }

    /** True if nulls in it are meant, rather than the values of components that have none. */
    private static boolean meansItsNulls(@Nullable Object value) {
        return value instanceof View || value instanceof Map;
    }

    private static JsonNode tree(Object value) {
        return value instanceof JsonView view ? view.node().deepCopy() : ModelBinding.json(value);
    }

    /**
     * Removes the fields that are null, all the way down. Where the original has a null, the null stays: fields may be
     * nullable.
     */
    static void removeAbsent(JsonNode made, @Nullable JsonNode original) {
        if (made instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                JsonNode before = original == null ? null : original.get(field.getKey());
                if (!field.getValue().isNull()) {
                    removeAbsent(field.getValue(), before);
                } else if (before == null || !before.isNull()) {
                    object.remove(field.getKey());
                }
            }
        } else if (made instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                removeAbsent(list.get(i), original instanceof ArrayNode before ? before.get(i) : null);
            }
        }
    }
}
