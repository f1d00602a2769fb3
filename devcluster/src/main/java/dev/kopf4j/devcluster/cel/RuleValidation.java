package dev.kopf4j.devcluster.cel;

import static dev.kopf4j.devcluster.cel.cost.SizedType.REQUEST;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.kopf4j.devcluster.cel.cost.Cardinality;
import dev.kopf4j.devcluster.cel.cost.CostBudget;
import dev.kopf4j.devcluster.cel.cost.ExpressionCost;
import dev.kopf4j.devcluster.cel.cost.SizedType;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Validates the rules of a custom resource definition's schema themselves, and what they cost;
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Used for one schema.
 */
public final class RuleValidation {
    private static final List<String> REASONS =
            List.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");

    private final Predicate<String> broken;
    private final boolean unchanged;
    private final List<FieldError> texts = new ArrayList<>();
    private final List<FieldError> expressions = new ArrayList<>();
    private final CostBudget budget = new CostBudget();
    private final SchemaSizes sizes = new SchemaSizes();

    private RuleValidation(Predicate<String> broken, boolean unchanged) {
        this.broken = broken;
        this.unchanged = unchanged;
    }

    /**
     * Validates all rules.
     *
     * @param path the path of the schema
     * @param broken true for paths where the schema has other errors, or below: their expressions are not compiled
     * @param unchanged true if an update does not change the schema: then one expression may cost as much as it likes
     */
    public static List<FieldError> validate(
            StructuralSchema schema, String path, Predicate<String> broken, boolean unchanged) {
        RuleValidation validation = new RuleValidation(broken, unchanged);
        validation.walk(new Place(schema, path, "", true, Cardinality.ONE));
        List<FieldError> errors = new ArrayList<>(validation.texts);
        errors.addAll(validation.expressions);
        errors.addAll(validation.budget.problems(path));
        return errors;
    }

    /**
     * A place in the schema.
     *
     * @param uncorrelated the path of the list around it whose elements have no former state; empty if there is none
     */
    private record Place(
            StructuralSchema schema, String path, String uncorrelated, boolean root, Cardinality cardinality) {
        Place below(JsonNode schema, String path, String uncorrelated) {
            return new Place(new StructuralSchema(schema), path, uncorrelated, false, cardinality.below(this.schema));
        }

        boolean resource() {
            return root || schema.embedsResource();
        }

        String rulePath(int index) {
            return path + "." + ValidationRule.KEYWORD + "[" + index + "]";
        }
    }

    private void walk(Place place) {
        StructuralSchema schema = place.schema();
        schema.node()
                .path("properties")
                .properties()
                .forEach(entry -> walk(place.below(
                        entry.getValue(), place.path() + ".properties[" + entry.getKey() + "]", place.uncorrelated())));
        schema.items().ifPresent(items -> {
            boolean keyed = place.uncorrelated().isEmpty() && schema.listType().equals("map");
            walk(place.below(items.node(), place.path() + ".items", keyed ? "" : place.path()));
        });
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            walk(place.below(additional, place.path() + ".additionalProperties", place.uncorrelated()));
        }
        rules(place);
    }

    private void rules(Place place) {
        JsonNode rules = place.schema().node().path(ValidationRule.KEYWORD);
        for (int index = 0; index < rules.size(); index++) {
            texts.addAll(checkTexts(place.schema(), rules.get(index), place.rulePath(index)));
        }
        if (broken.test(place.path())
                || texts.stream().anyMatch(error -> error.field().startsWith(place.path()))) {
            return;
        }
        for (int index = 0; index < rules.size(); index++) {
            rule(place, rules.get(index), place.rulePath(index));
        }
    }

    private void rule(Place place, JsonNode rule, String path) {
        RuleCompiler compiler = new RuleCompiler(place.schema(), place.resource());
        try {
            CelAbstractSyntaxTree tree = compiler.checkedRule(rule);
            add(path + ".rule", "estimated rule cost", place.cardinality().times(cost(place, tree), least(place)));
            message(place, rule, path, compiler);
        } catch (InvalidRuleException e) {
            expressions.add(FieldError.invalid(path + ".rule", Json.text(rule), e.problem()));
        }
        oldSelf(place, rule, path);
    }

    private void message(Place place, JsonNode rule, String path, RuleCompiler compiler) {
        if (Json.string(rule, "messageExpression").isEmpty()) {
            return;
        }
        String where = path + ".messageExpression";
        try {
            add(where, "estimated messageExpression cost", cost(place, compiler.checkedMessage(rule)));
        } catch (InvalidRuleException e) {
            expressions.add(FieldError.invalid(where, Json.text(rule), e.problem()));
        }
    }

    private void add(String path, String name, long cost) {
        budget.add(path, name, cost).filter(error -> !unchanged).ifPresent(expressions::add);
    }

    private long cost(Place place, CelAbstractSyntaxTree tree) {
        return sizes.of(place.schema(), place.resource())
                .map(known -> ExpressionCost.of(tree, known).max())
                .orElse(0L);
    }

    private long least(Place place) {
        return sizes.of(place.schema(), place.resource()).map(SizedType::least).orElse(0L);
    }

    private void oldSelf(Place place, JsonNode rule, String path) {
        String expression = Json.string(rule, "rule");
        boolean usesOldSelf = ValidationRule.usesOldSelf(expression);
        if (usesOldSelf && !place.uncorrelated().isEmpty()) {
            expressions.add(FieldError.invalidString(
                    path + ".rule",
                    expression,
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                            + place.uncorrelated()));
        }
        if (rule.has("optionalOldSelf") && !usesOldSelf) {
            expressions.add(FieldError.invalid(
                    path + ".optionalOldSelf",
                    rule.get("optionalOldSelf").asString(""),
                    "may not be set if oldSelf is not used in rule"));
        }
    }

    /**
     * Validates the texts of a rule, before its expressions are compiled:
     * {@code ValidateCustomResourceDefinitionOpenAPISchema} in {@code pkg/apis/apiextensions/validation/validation.go}
     * of apiextensions-apiserver, v1.33.
     */
    private static List<FieldError> checkTexts(StructuralSchema schema, JsonNode rule, String path) {
        List<FieldError> errors = new ArrayList<>();
        messageText(rule, path, errors);
        String expression = Json.string(rule, "messageExpression");
        if (!expression.isEmpty() && expression.isBlank()) {
            errors.add(FieldError.required(
                    path + ".messageExpression", "messageExpression must be non-empty if specified"));
        }
        String reason = Json.string(rule, "reason");
        if (rule.has("reason") && !REASONS.contains(reason)) {
            errors.add(FieldError.notSupported(path + ".reason", FieldError.quote(reason), REASONS));
        }
        fieldPath(schema, Json.string(rule, "fieldPath"), path + ".fieldPath", errors);
        return errors;
    }

    private static void messageText(JsonNode rule, String path, List<FieldError> errors) {
        String message = Json.string(rule, "message");
        String expression = Json.string(rule, "rule").strip();
        if (expression.isEmpty()) {
            errors.add(FieldError.required(path + ".rule", "rule is not specified"));
        } else if (!message.isEmpty() && message.isBlank()) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must be non-empty if specified"));
        } else if (hasLineBreak(message.strip())) {
            errors.add(FieldError.invalidString(path + ".message", message, "message must not contain line breaks"));
        } else if (hasLineBreak(expression) && message.isBlank()) {
            errors.add(
                    FieldError.required(path + ".message", "message must be specified if rule contains line breaks"));
        }
    }

    private static void fieldPath(StructuralSchema schema, String field, String path, List<FieldError> errors) {
        if (field.isEmpty()) {
            return;
        }
        if (field.isBlank()) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must be non-empty if specified"));
        }
        if (hasLineBreak(field)) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must not contain line breaks"));
        }
        if (RuleFieldPath.errorPath(schema, field).isEmpty()) {
            errors.add(FieldError.invalidString(path, field, "fieldPath must be a valid path"));
        }
    }

    private static boolean hasLineBreak(String text) {
        return text.contains("\n") || text.contains("\r");
    }

    /**
     * The sizes that a schema allows: what it does not limit is limited by the greatest request, of 3 MiB. Follows
     * {@code pkg/cel/common/schemas.go} and {@code pkg/cel/limits.go} of the apiserver library, v1.33. Used for one
     * definition.
     */
    private static final class SchemaSizes {
        private static final int BYTES_OF_CHARACTER = 4;
        private static final int TIME = 32;
        private static final int DATE = 12;
        private static final SizedType METADATA = new SizedType(
                0,
                2,
                Map.of("name", SizedType.scalar(REQUEST - 2, 2), "generateName", SizedType.scalar(REQUEST - 2, 2)),
                null);

        private final IdentityHashMap<JsonNode, Optional<SizedType>> known = new IdentityHashMap<>();

        /**
         * The sizes of a schema's values; empty if expressions cannot read them.
         *
         * @param resource true for what has a type and metadata
         */
        Optional<SizedType> of(StructuralSchema schema, boolean resource) {
            Optional<SizedType> present = known.get(schema.node());
            if (present == null) {
                present = make(schema, resource);
                known.put(schema.node(), present);
            }
            return present;
        }

        private Optional<SizedType> make(StructuralSchema schema, boolean resource) {
            if (schema.flag("x-kubernetes-int-or-string")) {
                return Optional.of(SizedType.scalar(length(schema).orElse(REQUEST - 2), 1));
            }
            return switch (resource ? "object" : schema.type()) {
                case "array" -> array(schema);
                case "object" -> object(schema, resource);
                case "string" -> Optional.of(text(schema));
                case "boolean" -> Optional.of(SizedType.scalar(0, 4));
                case "number", "integer" -> Optional.of(SizedType.scalar(0, 1));
                default -> Optional.empty();
            };
        }

        private Optional<SizedType> array(StructuralSchema schema) {
            return schema.items()
                    .flatMap(items -> of(items, items.embedsResource()))
                    .map(element -> {
                        long most = limit(schema, "maxItems").orElse((REQUEST - 2) / (element.least() + 1));
                        return new SizedType(most, 2, Map.of(), element);
                    });
        }

        private Optional<SizedType> object(StructuralSchema schema, boolean resource) {
            JsonNode additional = schema.node().path("additionalProperties");
            if (additional.isObject()) {
                StructuralSchema values = new StructuralSchema(additional);
                return of(values, values.embedsResource()).map(element -> {
                    // quotes, a colon and a comma, and a key of two characters
                    long most = limit(schema, "maxProperties").orElse((REQUEST - 2) / (element.least() + 6));
                    return new SizedType(most, 2, Map.of(), element);
                });
            }
            Set<String> required = new HashSet<>();
            schema.node().path("required").forEach(name -> required.add(name.stringValue()));
            Map<String, SizedType> fields = new HashMap<>();
            long least = 2;
            for (Map.Entry<String, JsonNode> property :
                    schema.node().path("properties").properties()) {
                StructuralSchema field = new StructuralSchema(property.getValue());
                Optional<SizedType> type = of(field, field.embedsResource());
                if (type.isEmpty()) {
                    continue;
                }
                fields.put(FieldNameEscaping.escape(property.getKey()), type.get());
                if (required.contains(property.getKey()) && !property.getValue().has("default")) {
                    least += property.getKey().length() + type.get().least() + 4;
                }
            }
            if (resource) {
                fields.put("apiVersion", SizedType.scalar(REQUEST - 2, 2));
                fields.put("kind", SizedType.scalar(REQUEST - 2, 2));
                fields.put("metadata", METADATA);
            }
            return Optional.of(new SizedType(0, least, fields, null));
        }

        private static SizedType text(StructuralSchema schema) {
            return switch (Json.string(schema.node(), "format")) {
                case "byte" -> SizedType.scalar(limit(schema, "maxLength").orElse(REQUEST - 2), 2);
                case "duration" -> SizedType.scalar(TIME, 3);
                case "date" -> SizedType.scalar(DATE, DATE);
                case "date-time" -> SizedType.scalar(TIME, 21);
                default -> SizedType.scalar(length(schema).orElseGet(() -> longest(schema)), 2);
            };
        }

        private static long longest(StructuralSchema schema) {
            JsonNode values = schema.node().path("enum");
            if (values.isEmpty()) {
                return REQUEST - 2;
            }
            return values.valueStream()
                    .filter(JsonNode::isString)
                    .mapToLong(value -> value.stringValue().getBytes(StandardCharsets.UTF_8).length)
                    .max()
                    .orElse(0);
        }

        /** The greatest length of a text in bytes. */
        private static Optional<Long> length(StructuralSchema schema) {
            return limit(schema, "maxLength").map(characters -> characters * BYTES_OF_CHARACTER);
        }

        private static Optional<Long> limit(StructuralSchema schema, String keyword) {
            JsonNode limit = schema.node().path(keyword);
            return limit.isNumber() ? Optional.of(Math.max(0, limit.longValue())) : Optional.empty();
        }
    }
}
