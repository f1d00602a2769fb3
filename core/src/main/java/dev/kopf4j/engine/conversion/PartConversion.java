package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.View;
import dev.kopf4j.object.ValueBinding;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
        ObjectNode output = json(returned, "what " + function.source() + " has returned cannot be used: ");
        if (seen != null) {
            List<String> without = UnknownFields.keep(input, seen, output, at());
            without.forEach(lost);
        }
        if (!ConvertedValue.meansItsNulls(returned)) {
            AbsentFields.remove(output, input);
        }
        return output;
    }

    private String at() {
        return function.part() == ConversionPart.BODY ? "" : function.part().key();
    }

    private Object bound(View part) throws ConversionFailure {
        try {
            Object bound = ValueBinding.bind(
                    part, function.type(), () -> "the " + function.part().key());
            return bound == null ? part : bound;
        } catch (RuntimeException e) {
            throw new ConversionFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /** What the type knows of the part; null if that does not matter. */
    private @Nullable ObjectNode seen(Object bound) throws ConversionFailure {
        return function.dropUnknown() || bound instanceof View
                ? null
                : json(
                        bound,
                        "which fields " + function.type().getTypeName()
                                + " does not know cannot be told, so that they could be lost (dropUnknown allows that): ");
    }

    private static ObjectNode json(@Nullable Object value, String words) throws ConversionFailure {
        try {
            return ConvertedValue.json(value);
        } catch (ConversionFailure e) {
            throw new ConversionFailure(words + e.getMessage(), e.getCause());
        } catch (RuntimeException | StackOverflowError e) {
            throw new ConversionFailure(words + e, e);
        }
    }

    /** Whatever the user's code does: it must not end the server. */
    private @Nullable Object call(Object bound, Body body) throws ConversionFailure, InterruptedException {
        try {
            return function.invoker().convert(bound, body);
        } catch (InterruptedException e) {
            throw e;
        } catch (PermanentException | TemporaryException e) {
            throw new ConversionFailure(String.valueOf(e.getMessage()), e);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            String what = e.getMessage() == null || e.getMessage().isEmpty()
                    ? e.getClass().getSimpleName()
                    : e.getMessage();
            throw new ConversionFailure("the " + function.part().key() + ": " + what, e);
        }
    }
}
