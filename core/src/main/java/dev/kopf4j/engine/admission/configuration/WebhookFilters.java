package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.engine.handling.declaration.ValueFilter;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the filters of a handler as what the API server asks before it sends a review, so that what a handler would
 * not look at is not sent at all: labels as selectors, the rest as conditions in CEL. What neither can say, such as
 * callbacks, is asked by the operator alone, when the review has come. Pure.
 *
 * @see <a
 *     href="https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3716-admission-webhook-match-conditions">
 *     KEP-3716</a>
 */
final class WebhookFilters {
    /** The object as it would become, or as it is if it is to be deleted. */
    private static final String BODY = "(object != null ? object : oldObject)";

    private WebhookFilters() {}

    /** The {@code LabelSelector}; null if the API server has nothing to look at. */
    static @Nullable ObjectNode labels(List<MetadataFilter> filters) {
        ObjectNode selector = Json.object();
        ArrayNode expressions = selector.putArray("matchExpressions");
        filters.forEach(filter -> label(expressions, filter));
        return expressions.isEmpty() ? null : selector;
    }

    private static void label(ArrayNode expressions, MetadataFilter filter) {
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

    /** The conditions of a handler: its own, and those of its filters; none if there are none. */
    static ArrayNode conditions(HandlerDeclaration declaration) {
        ArrayNode conditions = Json.mapper().createArrayNode();
        List<String> own = declaration.admission().matchConditions();
        for (int i = 0; i < own.size(); i++) {
            condition(conditions, "condition-" + (i + 1), own.get(i));
        }
        List<String> annotations = declaration.annotations().stream()
                .flatMap(filter -> annotation(filter).stream())
                .toList();
        if (!annotations.isEmpty()) {
            condition(conditions, "annotations", String.join(" && ", annotations));
        }
        field(declaration).ifPresent(expression -> condition(conditions, "field", expression));
        return conditions;
    }

    private static void condition(ArrayNode conditions, String name, String expression) {
        conditions.addObject().put("name", name).put("expression", expression);
    }

    private static Optional<String> annotation(MetadataFilter filter) {
        List<String> path = List.of("metadata", "annotations", filter.key());
        return switch (filter) {
            case MetadataFilter.Present _ -> Optional.of(present(path));
            case MetadataFilter.Absent _ -> Optional.of("!(" + present(path) + ")");
            case MetadataFilter.In(String _, Set<String> values) ->
                Optional.of("(" + present(path) + " && " + value(path) + " in [" + texts(values) + "])");
            case MetadataFilter.NotIn(String _, Set<String> values) ->
                Optional.of("!(" + present(path) + " && " + value(path) + " in [" + texts(values) + "])");
            case MetadataFilter.Callback _ -> Optional.empty();
        };
    }

    private static String texts(Set<String> values) {
        return new TreeSet<>(values).stream().map(WebhookFilters::text).collect(Collectors.joining(", "));
    }

    private static Optional<String> field(HandlerDeclaration declaration) {
        if (declaration.field().isEmpty()) {
            return Optional.empty();
        }
        ValueFilter filter = declaration.value();
        return expression(declaration.field(), filter);
    }

    private static Optional<String> expression(List<String> path, @Nullable ValueFilter filter) {
        return switch (filter) {
            case null -> Optional.of(present(path));
            case ValueFilter.Present _ -> Optional.of(present(path));
            case ValueFilter.Absent _ -> Optional.of("!(" + present(path) + ")");
            case ValueFilter.Literal(JsonNode value)
            when value.isString() ->
                Optional.of(present(path) + " && " + value(path) + " == " + text(value.asString()));
            case ValueFilter.Literal(JsonNode value)
            when value.isNumber() || value.isBoolean() ->
                Optional.of(present(path) + " && " + value(path) + " == " + value);
            default -> Optional.empty();
        };
    }

    /** True if the field is there and not null, whatever stands on the way to it. */
    private static String present(List<String> path) {
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            String parent = value(path.subList(0, i));
            if (i > 0) {
                steps.add("type(" + parent + ") == map");
            }
            steps.add(text(path.get(i)) + " in " + parent);
        }
        steps.add(value(path) + " != null");
        return String.join(" && ", steps);
    }

    private static String value(List<String> path) {
        return path.stream().map(key -> "[" + text(key) + "]").collect(Collectors.joining("", BODY, ""));
    }

    /** A text as CEL writes it: as JSON does. */
    private static String text(String text) {
        return Json.text(Json.fromJava(text));
    }
}
