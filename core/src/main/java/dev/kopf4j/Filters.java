package dev.kopf4j;

import java.util.List;
import java.util.function.Predicate;

/**
 * Combines tests into filters: for {@link HandlerOptions#when}, {@link HandlerOptions#label},
 * {@link HandlerOptions#annotation}, and {@link ValueFilter#matching(Predicate)}.
 *
 * <pre>{@code h -> h.when(Filters.all(this::isReady, Filters.not(this::isPaused)))}</pre>
 *
 * <p>The combined filters ask the tests in their order, and no further than needed. As thread-safe as the tests are.
 */
public final class Filters {
    private Filters() {}

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
