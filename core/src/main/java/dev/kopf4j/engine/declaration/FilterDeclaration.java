package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a handler is for, and which of their changes. Immutable.
 *
 * @param labels conditions on labels, all of which must hold
 * @param annotations conditions on annotations, all of which must hold
 * @param when further conditions, all of which must hold
 * @param field the keys of the field that matters; empty for the whole object
 * @param value which values of the field, old or new; null for present ones
 * @param oldValue which old values of the field; null for any
 * @param newValue which new values of the field; null for any
 */
public record FilterDeclaration(
        List<MetadataFilter> labels,
        List<MetadataFilter> annotations,
        List<Predicate<? super HandlerContext>> when,
        List<String> field,
        @Nullable ValueFilter value,
        @Nullable ValueFilter oldValue,
        @Nullable ValueFilter newValue) {
    /** Copies the lists. */
    public FilterDeclaration {
        labels = List.copyOf(labels);
        annotations = List.copyOf(annotations);
        when = List.copyOf(when);
        field = List.copyOf(field);
    }

    /** One in the making, by options. Confined. */
    static final class Draft {
        final List<MetadataFilter> labels = new ArrayList<>();
        final List<MetadataFilter> annotations = new ArrayList<>();
        final List<Predicate<? super HandlerContext>> when = new ArrayList<>();
        List<String> field = List.of();

        @Nullable ValueFilter value;

        @Nullable ValueFilter oldValue;

        @Nullable ValueFilter newValue;

        FilterDeclaration declare() {
            return new FilterDeclaration(labels, annotations, when, field, value, oldValue, newValue);
        }
    }
}
