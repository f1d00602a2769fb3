package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
        for (int index = 0; index < array.size(); index++) {
            JsonNode element = array.get(index);
            OldSelf old = list.oldSelf().element(list.schema(), element, unchanged);
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
}
