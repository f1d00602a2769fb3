package dev.kopf4j.engine.declaration;

import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.JsonEquality;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A condition on the value of a field. Immutable. */
public sealed interface ValueFilter {
    /**
     * True if the value satisfies the condition.
     *
     * @param value the value, a JSON null as such; null if it is absent
     * @param context what callbacks may ask for; made only if they are called
     */
    boolean passes(@Nullable JsonNode value, Supplier<HandlerContext> context);

    /**
     * What people write instead of a test: a value to be equal to, {@link Filter#PRESENT} or {@link Filter#ABSENT}.
     *
     * @param name of the attribute or option, for the message
     * @return null for {@link Filter#ANYTHING}
     * @throws HandlerDeclarationException if it is no value that a field could have
     */
    static @Nullable ValueFilter of(Object written, String name) {
        if (written.equals(Filter.ANYTHING)) {
            return null;
        }
        if (written.equals(Filter.PRESENT)) {
            return new Present();
        }
        return written.equals(Filter.ABSENT) ? new Absent() : literal(written, name);
    }

    private static ValueFilter literal(Object written, String name) {
        try {
            return new Literal(ModelBinding.json(written));
        } catch (JsonConversionException | IllegalArgumentException e) {
            throw new HandlerDeclarationException(
                    name + " is a " + written.getClass().getName()
                            + ", which is no value of a field; give text, a number, a"
                            + " boolean, a list or a map, or a lambda of the value",
                    e);
        }
    }

    /** The field must be there, if only with a null. */
    record Present() implements ValueFilter {
        @Override
        public boolean passes(@Nullable JsonNode value, Supplier<HandlerContext> context) {
            return value != null;
        }
    }

    /** The field must not be there; a null is. */
    record Absent() implements ValueFilter {
        @Override
        public boolean passes(@Nullable JsonNode value, Supplier<HandlerContext> context) {
            return value == null;
        }
    }

    /**
     * The value must be equal to this one; numbers are compared by value.
     *
     * @param wanted the value
     */
    record Literal(JsonNode wanted) implements ValueFilter {
        @Override
        public boolean passes(@Nullable JsonNode value, Supplier<HandlerContext> context) {
            return JsonEquality.equal(wanted, value);
        }
    }

    /**
     * The value must pass a test.
     *
     * @param test called with the value, null where the field is null or absent, and the context of the handler
     */
    record Callback(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) implements ValueFilter {
        @Override
        public boolean passes(@Nullable JsonNode value, Supplier<HandlerContext> context) {
            return test.test(Json.toJava(value), context.get());
        }
    }
}
