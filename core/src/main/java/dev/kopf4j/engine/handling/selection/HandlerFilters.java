package dev.kopf4j.engine.handling.selection;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetadataFilter;
import dev.kopf4j.ValueFilter;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
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
        List<MetadataFilter> labels = handler.definition().labels();
        List<MetadataFilter> annotations = handler.definition().annotations();
        // The content is made only for filters: most handlers have none.
        return (labels.isEmpty() || all(labels, object.body().meta().labels()))
                && (annotations.isEmpty()
                        || all(annotations, object.body().meta().annotations()));
    }

    private static boolean all(List<MetadataFilter> filters, Map<String, String> content) {
        return filters.stream().allMatch(filter -> filter.matches(content));
    }

    private boolean conditionsPass() {
        List<Predicate<HandlerContext>> conditions = handler.definition().when();
        return conditions.isEmpty() || conditions.stream().allMatch(condition -> condition.test(context.get()));
    }

    /** The value passes if either the new or the old one does. */
    private boolean fieldPasses() {
        if (handler.definition().field().isEmpty()) {
            return true;
        }
        FieldPath field = handler.field();
        ValueFilter declared = handler.definition().value();
        ValueFilter filter = declared == null ? ValueFilter.present() : declared;
        return passes(filter, cause.newValue(field)) || (cause.isOfChange() && passes(filter, cause.oldValue(field)));
    }

    private boolean changePasses() {
        if (handler.definition().field().isEmpty() || !handler.needsChange()) {
            return true;
        }
        JsonNode before = cause.oldValue(handler.field());
        JsonNode after = cause.newValue(handler.field());
        return !JsonEquality.equal(before, after)
                && passesIfGiven(handler.definition().oldValue(), before)
                && passesIfGiven(handler.definition().newValue(), after);
    }

    private boolean passesIfGiven(@Nullable ValueFilter filter, @Nullable JsonNode value) {
        return filter == null || passes(filter, value);
    }

    private boolean passes(ValueFilter filter, @Nullable JsonNode value) {
        return switch (filter) {
            case ValueFilter.Present() -> value != null;
            case ValueFilter.Absent() -> value == null;
            case ValueFilter.Literal(Object literal) -> JsonEquality.equal(Json.fromJava(literal), value);
            case ValueFilter.Callback(ValueFilter.ValueTest test) -> test.test(Json.toJava(value), context.get());
        };
    }
}
