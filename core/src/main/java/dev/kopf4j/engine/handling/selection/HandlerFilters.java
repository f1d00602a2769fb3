package dev.kopf4j.engine.handling.selection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.engine.handling.declaration.ValueFilter;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The filters of one handler, asked about one object: labels and annotations, the value of the field, its change, and
 * conditions. Pure, as far as the callbacks are.
 *
 * @param context for callbacks; made when one is called
 */
record HandlerFilters(
        RegisteredHandler handler, ResourceObject object, InvocationCause cause, Supplier<HandlerContext> context) {
    private static final ValueFilter PRESENT = new ValueFilter.Present();

    static HandlerFilters of(
            RegisteredHandler handler, ResourceObject object, InvocationCause cause, ContextFactory contexts) {
        return new HandlerFilters(handler, object, cause, contexts.forFilters(handler, object, cause));
    }

    /** True if all filters let the object pass. */
    boolean pass() {
        return metadataPasses() && fieldPasses() && changePasses() && conditionsPass();
    }

    /** True if all filters but those on the change of the field let the object pass. */
    boolean passExceptChange() {
        return metadataPasses() && fieldPasses() && conditionsPass();
    }

    private boolean metadataPasses() {
        List<MetadataFilter> labels = handler.declaration().labels();
        List<MetadataFilter> annotations = handler.declaration().annotations();
        // The content is made only for filters: most handlers have none.
        return (labels.isEmpty() || all(labels, object.body().meta().labels()))
                && (annotations.isEmpty()
                        || all(annotations, object.body().meta().annotations()));
    }

    private boolean all(List<MetadataFilter> filters, Map<String, String> content) {
        return filters.stream().allMatch(filter -> filter.matches(content, context));
    }

    private boolean conditionsPass() {
        List<Predicate<? super HandlerContext>> conditions =
                handler.declaration().when();
        return conditions.isEmpty() || conditions.stream().allMatch(condition -> condition.test(context.get()));
    }

    /** The value passes if either the new or the old one does. */
    private boolean fieldPasses() {
        if (handler.declaration().field().isEmpty()) {
            return true;
        }
        FieldPath field = handler.field();
        ValueFilter declared = handler.declaration().value();
        ValueFilter filter = declared == null ? PRESENT : declared;
        return filter.passes(cause.newValue(field), context)
                || (cause.isOfChange() && filter.passes(cause.oldValue(field), context));
    }

    private boolean changePasses() {
        if (handler.declaration().field().isEmpty() || !handler.needsChange()) {
            return true;
        }
        JsonNode before = cause.oldValue(handler.field());
        JsonNode after = cause.newValue(handler.field());
        return !JsonEquality.equal(before, after)
                && passesIfGiven(handler.declaration().oldValue(), before)
                && passesIfGiven(handler.declaration().newValue(), after);
    }

    private boolean passesIfGiven(@Nullable ValueFilter filter, @Nullable JsonNode value) {
        return filter == null || filter.passes(value, context);
    }
}
