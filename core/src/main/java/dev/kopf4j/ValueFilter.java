package dev.kopf4j;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which values of a field. Immutable. */
public sealed interface ValueFilter {
    /** There must be a value. */
    static ValueFilter present() {
        return new Present();
    }

    /** There must be no value. */
    static ValueFilter absent() {
        return new Absent();
    }

    /** The value must be equal to this one; numbers are compared by value. */
    static ValueFilter equalTo(Object value) {
        return new Literal(value);
    }

    /** The value must pass a test; it is null where the field is absent. */
    static ValueFilter matching(Predicate<? super @Nullable Object> test) {
        return new Callback((value, context) -> test.test(value));
    }

    /** There must be a value. */
    record Present() implements ValueFilter {}

    /** There must be no value. */
    record Absent() implements ValueFilter {}

    /**
     * The value must be equal to this one.
     *
     * @param value text, number, boolean, list or mapping
     */
    record Literal(Object value) implements ValueFilter {}

    /**
     * The value must pass a test.
     *
     * @param test called with the value and the context of the handler
     */
    record Callback(ValueTest test) implements ValueFilter {}

    /** A test of a value that may look at the object too. */
    @FunctionalInterface
    interface ValueTest {
        /** True if the value will do; it is null where the field is absent. */
        boolean test(@Nullable Object value, HandlerContext context);
    }
}
