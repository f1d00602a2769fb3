package dev.kopf4j;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The options that all handlers of objects have in the style without annotations: which objects they are for, and a
 * value of your own. Each kind of handler has its own options, which add to these: {@link OnTimer.Options},
 * {@link OnDelete.Options}.
 *
 * <p>An object must pass all filters, several of one sort included. Many threads call the tests at a time. What a test
 * throws is an error of the framework for that object: it is logged, and the object is tried again after a growing
 * pause. The framework makes a {@link HandlerContext} only for tests that take one.
 *
 * <p>Mutable and confined: used while the operator is built. Made by the framework; not to be implemented.
 *
 * @param <O> the options of one kind of handler
 */
public interface HandlerOptions<O extends HandlerOptions<O>> {
    /** A value for {@link HandlerContext#param}; null by default. */
    O param(@Nullable Object any);

    /**
     * Which objects, by labels in Kubernetes' selector syntax: {@code "app=web,tier in (a,b),!legacy"}.
     *
     * @throws HandlerDeclarationException if a selector is malformed, with the position
     */
    O labels(String... selectors);

    /** Which objects, by the value of one label; the value is null where the label is absent. */
    O label(String key, Predicate<? super @Nullable String> test);

    /** The same, with a test that may ask for more about the object. */
    O label(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test);

    /**
     * Which objects, by annotations: {@code "key=value"}, {@code "key"} for present, {@code "!key"} for absent.
     *
     * @throws HandlerDeclarationException if a filter has no key, or one that no annotation can have
     */
    O annotations(String... filters);

    /** Which objects, by the value of one annotation; the value is null where the annotation is absent. */
    O annotation(String key, Predicate<? super @Nullable String> test);

    /** The same, with a test that may ask for more about the object. */
    O annotation(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test);

    /** Which objects, by a test of your own; it is called after all other filters. */
    O when(Predicate<? super HandlerContext> test);

    /**
     * The field that matters, such as {@code "spec.size"}: for handlers of updates and of fields it must have changed,
     * for others it must be there, unless the value is filtered, too.
     */
    O field(String path);

    /** The same by keys, one below the other, which may have dots themselves. */
    O field(List<String> keys);

    /**
     * The value of the field, before or after the change; for handlers of admission as it would become, or as it is if
     * the object is to be deleted; for those of events, indices, timers and daemons as it is.
     *
     * @param value what it must be equal to: text, number, boolean, list or map, with numbers compared by value; or
     *     {@link Filter#PRESENT}, {@link Filter#ABSENT}
     * @throws HandlerDeclarationException if a field cannot have such a value
     */
    O fieldValue(Object value);

    /** The same, with a test of the value, which is null where the field is absent. */
    O fieldValue(Predicate<? super @Nullable Object> test);

    /** The same, with a test that may ask for more about the object. */
    O fieldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test);
}
