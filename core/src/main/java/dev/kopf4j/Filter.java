package dev.kopf4j;

import java.util.List;
import java.util.function.Predicate;

/**
 * What filters are made of: words for values, and combinations of tests.
 *
 * <p>The words stand in place of a value, in annotations and in options: {@code oldValue = Filter.ABSENT},
 * {@code h.fieldValue(Filter.PRESENT)}. The combinations take tests of objects ({@link HandlerOptions#when}), labels,
 * annotations and values:
 *
 * <pre>{@code h -> h.when(Filter.all(this::isReady, Filter.not(this::isPaused)))}</pre>
 *
 * <p>Combinations ask their tests in order, and no further than needed. They are as thread-safe as the tests are.
 */
public final class Filter {
    /** No filter: the value may be anything, or absent. */
    public static final String ANYTHING = "\u0000any";

    /** The field must be there, with any value; a null is one. */
    public static final String PRESENT = "\u0000present";

    /** The field must not be there; a null is there. */
    public static final String ABSENT = "\u0000absent";

    private Filter() {}

    /** Passes what does not pass the test. */
    public static <T> Predicate<T> not(Predicate<? super T> test) {
        return value -> !test.test(value);
    }

    /** Passes what passes each test; without tests: anything. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied, and not given away
    public static <T> Predicate<T> all(Predicate<? super T>... tests) {
        List<Predicate<? super T>> each = List.of(tests);
        return value -> each.stream().allMatch(test -> test.test(value));
    }

    /** Passes what passes one of the tests; without tests: nothing. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied, and not given away
    public static <T> Predicate<T> any(Predicate<? super T>... tests) {
        List<Predicate<? super T>> each = List.of(tests);
        return value -> each.stream().anyMatch(test -> test.test(value));
    }

    /** Passes what passes none of the tests; without tests: anything. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied, and not given away
    public static <T> Predicate<T> none(Predicate<? super T>... tests) {
        return not(any(tests));
    }
}
