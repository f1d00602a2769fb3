package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.kopf4j.devcluster.cel.cost.Cardinality;
import dev.kopf4j.devcluster.cel.cost.CostBudget;
import dev.kopf4j.devcluster.cel.cost.ExpressionCost;
import dev.kopf4j.devcluster.cel.cost.SizedType;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
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
}
