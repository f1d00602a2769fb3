package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOptions;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects also the filters of values before and after a change. Confined.
 *
 * @param <O> the options of the kind, as users see them
 */
abstract class ChangeOptionsDraft<O extends HandlerOptions<O>> extends HandlerOptionsDraft<O> {
    ChangeOptionsDraft() {}

    public final O oldValue(Object value) {
        filters.oldValue = ValueFilter.of(value, "oldValue");
        return self();
    }

    public final O oldValue(Predicate<? super @Nullable Object> test) {
        return oldValue((value, context) -> test.test(value));
    }

    public final O oldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
        filters.oldValue = new ValueFilter.Callback(test);
        return self();
    }

    public final O newValue(Object value) {
        filters.newValue = ValueFilter.of(value, "newValue");
        return self();
    }

    public final O newValue(Predicate<? super @Nullable Object> test) {
        return newValue((value, context) -> test.test(value));
    }

    public final O newValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
        filters.newValue = new ValueFilter.Callback(test);
        return self();
    }
}
