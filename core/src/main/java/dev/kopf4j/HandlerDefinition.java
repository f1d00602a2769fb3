package dev.kopf4j;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of a handler, in either style. Immutable.
 *
 * @param kind what it is called for
 * @param selector for which resources
 * @param id its id without the suffix of the field; null if it is to be the method's name
 * @param param a value for its parameter {@code param}
 * @param errors what an arbitrary exception means; null for the default of its kind
 * @param timeout the time for all attempts; null for unlimited
 * @param retries the number of attempts; null for unlimited
 * @param backoff the pause after an arbitrary exception; null for the setting
 * @param labels conditions on labels, all of which must hold
 * @param annotations conditions on annotations, all of which must hold
 * @param when further conditions, all of which must hold
 * @param field the field that matters; empty for the whole object
 * @param value which values of the field, old or new; null for present ones
 * @param oldValue which old values of the field
 * @param newValue which new values of the field
 * @param optional true if the object need not wait for its deletion
 * @param deleted true if it resumes objects that are being deleted too
 * @param background when a daemon or a timer starts, runs, and is stopped; nothing is given for other kinds
 */
public record HandlerDefinition(
        HandlerKind kind,
        ResourceSelector selector,
        @Nullable String id,
        @Nullable Object param,
        @Nullable ErrorsMode errors,
        @Nullable Duration timeout,
        @Nullable Integer retries,
        @Nullable Duration backoff,
        List<MetadataFilter> labels,
        List<MetadataFilter> annotations,
        List<Predicate<HandlerContext>> when,
        List<String> field,
        @Nullable ValueFilter value,
        @Nullable ValueFilter oldValue,
        @Nullable ValueFilter newValue,
        boolean optional,
        boolean deleted,
        BackgroundOptions background) {
    /** Copies the lists. */
    public HandlerDefinition {
        labels = List.copyOf(labels);
        annotations = List.copyOf(annotations);
        when = List.copyOf(when);
        field = List.copyOf(field);
    }

    /** The definition of a sub-handler: it is called for what its parent is called for. */
    public static HandlerDefinition ofSubHandler(
            HandlerKind kind, ResourceSelector selector, String id, UnaryOperator<HandlerOptions> options) {
        return of(kind, selector, options.apply(new HandlerOptions()).id(id));
    }

    public static HandlerDefinition of(HandlerKind kind, ResourceSelector selector, HandlerOptions options) {
        return new HandlerDefinition(
                kind,
                selector,
                options.id,
                options.param,
                options.errors,
                options.timeout,
                options.retries,
                options.backoff,
                options.labels,
                options.annotations,
                options.when,
                options.field,
                options.value,
                options.oldValue,
                options.newValue,
                options.optional,
                options.deleted,
                options.background());
    }
}
