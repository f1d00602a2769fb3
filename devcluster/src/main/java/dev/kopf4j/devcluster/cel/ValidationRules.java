package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.cel.runtime.CelEvaluationException;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.ListTypeValidation;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code x-kubernetes-validations} of one schema, compiled when first needed. Thread-safe. */
public final class ValidationRules {
    private final StructuralSchema root;
    private final IdentityHashMap<JsonNode, List<ValidationRule>> compiled = new IdentityHashMap<>();

    /** The rules of a schema. */
    public ValidationRules(StructuralSchema root) {
        this.root = root;
    }

    /** True if a schema has any rules. */
    public static boolean exist(StructuralSchema schema) {
        return schema.node().has(ValidationRule.KEYWORD)
                || !schema.node().findValues(ValidationRule.KEYWORD).isEmpty();
    }

    /**
     * What is wrong with an object.
     *
     * @param errors the rules that it breaks
     * @param ratcheted those that it broke already, by values that an update leaves as they were
     */
    public record Findings(List<FieldError> errors, List<FieldError> ratcheted) {}

    /**
     * Looks which rules an object breaks.
     *
     * @param before the former state; null if the object is new
     */
    public Findings check(ObjectNode object, @Nullable JsonNode before) {
        Findings findings = new Findings(new ArrayList<>(), new ArrayList<>());
        walk(new RuleEvaluation(root, object, new OldSelf(before, before), ""), true, findings);
        return findings;
    }

    private void walk(RuleEvaluation at, boolean resource, Findings findings) {
        for (ValidationRule rule : rules(at.schema(), resource)) {
            at.evaluate(rule, findings);
        }
        if (at.value() instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String name = entry.getKey();
                String path = at.schema().pathOf(name, at.path());
                at.schema()
                        .field(name)
                        .map(field -> new RuleEvaluation(
                                field, entry.getValue(), at.oldSelf().field(name), path))
                        .ifPresent(below -> walk(below, false, findings));
            }
        } else if (at.value() instanceof ArrayNode array) {
            at.schema().items().ifPresent(items -> elements(at, items, array, findings));
        }
    }

    private void elements(RuleEvaluation list, StructuralSchema items, ArrayNode array, Findings findings) {
        boolean unchanged = list.oldSelf().isSame(array);
        UnaryOperator<@Nullable JsonNode> known =
                ListTypeValidation.counterparts(list.schema(), list.oldSelf().known());
        UnaryOperator<@Nullable JsonNode> compared =
                ListTypeValidation.counterparts(list.schema(), list.oldSelf().compared());
        for (int index = 0; index < array.size(); index++) {
            JsonNode element = array.get(index);
            OldSelf old = new OldSelf(known.apply(element), unchanged ? element : compared.apply(element));
            walk(new RuleEvaluation(items, element, old, list.path() + "[" + index + "]"), false, findings);
        }
    }

    private List<ValidationRule> rules(StructuralSchema schema, boolean resource) {
        JsonNode keyword = schema.node().path(ValidationRule.KEYWORD);
        if (keyword.isEmpty()) {
            return List.of();
        }
        synchronized (compiled) {
            return compiled.computeIfAbsent(
                    schema.node(),
                    node -> compile(new RuleCompiler(schema, resource || schema.embedsResource()), keyword));
        }
    }

    private static List<ValidationRule> compile(RuleCompiler compiler, JsonNode keyword) {
        List<ValidationRule> rules = new ArrayList<>();
        for (JsonNode rule : keyword) {
            try {
                rules.add(compiler.compile(rule));
            } catch (CelValidationException e) {
                throw new IllegalStateException("a stored rule does not compile: " + Json.text(rule), e);
            }
        }
        return rules;
    }

    /**
     * Evaluates rules for one value; {@code pkg/apiserver/schema/cel/validation.go} of apiextensions-apiserver, v1.33.
     *
     * @param path the value's path in errors
     */
    private record RuleEvaluation(StructuralSchema schema, JsonNode value, OldSelf oldSelf, String path) {
        /** Tells if the value breaks the rule. */
        void evaluate(ValidationRule rule, ValidationRules.Findings findings) {
            if (rule.isTransitionRule() && oldSelf.known() == null && !rule.oldSelfIsOptional()) {
                return;
            }
            Map<String, Object> variables = variables(rule);
            // Validation ratcheting (KEP-4008): a value that an update does not change may break newer rules.
            boolean ratchets = !rule.isTransitionRule() && oldSelf.isSame(value);
            try {
                if (!Boolean.TRUE.equals(rule.program().eval(variables))) {
                    (ratchets ? findings.ratcheted() : findings.errors()).add(error(rule, message(rule, variables)));
                }
            } catch (CelEvaluationException e) { // counts even for what has not changed, and knows no reason of its own
                String message = EvaluationProblem.of(e) + " evaluating rule: " + messageOrRule(rule, "");
                findings.errors()
                        .add(FieldError.invalid(
                                path.isEmpty() ? "<nil>" : path, FieldError.quote(schema.type()), message));
            }
        }

        private Map<String, Object> variables(ValidationRule rule) {
            Map<String, Object> variables = new HashMap<>();
            variables.put("self", CelValues.of(schema, value));
            Optional<Object> old = Optional.ofNullable(oldSelf.known()).map(known -> CelValues.of(schema, known));
            if (rule.oldSelfIsOptional()) {
                variables.put("oldSelf", old);
            } else {
                old.ifPresent(known -> variables.put("oldSelf", known));
            }
            return variables;
        }

        private static String message(ValidationRule rule, Map<String, Object> variables) {
            String fixed = messageOrRule(rule, "failed rule: ");
            if (rule.messageProgram() == null) {
                return fixed;
            }
            try {
                String computed =
                        String.valueOf(rule.messageProgram().eval(variables)).strip();
                return computed.isBlank() || computed.contains("\n") ? fixed : computed;
            } catch (CelEvaluationException e) {
                return fixed; // as a real server does: the rule is broken all the same
            }
        }

        private static String messageOrRule(ValidationRule rule, String beforeRule) {
            return rule.message().isEmpty() ? beforeRule + rule.expression() : rule.message();
        }

        private FieldError error(ValidationRule rule, String message) {
            String field =
                    RuleFieldPath.errorPath(schema, rule.text("fieldPath")).orElse("");
            String below = path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
            String where = below.isEmpty() ? "<nil>" : below;
            String shown = FieldError.quote(schema.type());
            return switch (rule.text("reason")) {
                case "FieldValueForbidden" -> FieldError.forbidden(where, message);
                case "FieldValueRequired" -> FieldError.required(where, message);
                case "FieldValueDuplicate" ->
                    new FieldError(FieldError.Type.DUPLICATE, "Duplicate value: " + shown, where);
                default -> FieldError.invalid(where, shown, message);
            };
        }
    }

    /**
     * The former state of a value. The two fields differ in lists: an element of a list without keys has no
     * {@code oldSelf}, but may still be unchanged.
     *
     * @param known what rules get as {@code oldSelf}; null if there is none
     * @param compared what decides whether the value has changed; null if it is new
     */
    private record OldSelf(
            @Nullable JsonNode known, @Nullable JsonNode compared) {
        OldSelf field(String name) {
            return new OldSelf(known == null ? null : known.get(name), compared == null ? null : compared.get(name));
        }

        boolean isSame(JsonNode value) {
            return compared != null && JsonEquality.same(compared, value);
        }
    }
}
