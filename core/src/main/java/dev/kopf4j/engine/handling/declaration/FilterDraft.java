package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.HandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A {@link FilterDeclaration} in the making. Confined. */
final class FilterDraft {
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
