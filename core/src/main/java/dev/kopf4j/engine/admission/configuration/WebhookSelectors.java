package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.json.Json;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes label filters as selectors of the API. Callbacks are left out: only the operator can ask them. Pure. */
final class WebhookSelectors {
    private WebhookSelectors() {}

    /** The {@code LabelSelector}; null if the API server has nothing to look at. */
    static @Nullable ObjectNode of(List<MetadataFilter> filters) {
        ObjectNode selector = Json.object();
        ArrayNode expressions = selector.putArray("matchExpressions");
        filters.forEach(filter -> add(expressions, filter));
        return expressions.isEmpty() ? null : selector;
    }

    private static void add(ArrayNode expressions, MetadataFilter filter) {
        switch (filter) {
            case MetadataFilter.Present(String key) -> expression(expressions, key, "Exists");
            case MetadataFilter.Absent(String key) -> expression(expressions, key, "DoesNotExist");
            case MetadataFilter.In(String key, Set<String> values) ->
                values(expression(expressions, key, "In"), values);
            case MetadataFilter.NotIn(String key, Set<String> values) ->
                values(expression(expressions, key, "NotIn"), values);
            case MetadataFilter.Callback _ -> {
                // Asked when the review has come.
            }
        }
    }

    private static ObjectNode expression(ArrayNode expressions, String key, String operator) {
        return expressions.addObject().put("key", key).put("operator", operator);
    }

    private static void values(ObjectNode expression, Set<String> values) {
        ArrayNode list = expression.putArray("values");
        new TreeSet<>(values).forEach(list::add);
    }
}
