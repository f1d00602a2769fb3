package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Compiles the rules at one place of a schema; {@code pkg/apiserver/schema/cel/compilation.go} of
 * apiextensions-apiserver, v1.33.
 *
 * @param resource true for the root, whose objects have a type and metadata
 */
record RuleCompiler(StructuralSchema schema, boolean resource) {
    ValidationRule compile(JsonNode rule) throws CelValidationException {
        String message = Json.string(rule, "messageExpression");
        return new ValidationRule(
                rule,
                CelEngine.program(compiler(rule), Json.string(rule, "rule")),
                message.isEmpty() ? null : CelEngine.program(compiler(rule), message));
    }

    /** The checked expression of a rule; the exception's message says what is wrong with it. */
    CelAbstractSyntaxTree checkedRule(JsonNode rule) throws InvalidRuleException {
        try {
            CelAbstractSyntaxTree tree = CelEngine.checked(compiler(rule), Json.string(rule, "rule"));
            return of(tree, SimpleType.BOOL, "cel expression must evaluate to a bool");
        } catch (CelValidationException e) {
            throw new InvalidRuleException("compilation failed: " + e.getMessage(), e);
        }
    }

    /** The checked expression of a rule's message; the exception's message says what is wrong with it. */
    CelAbstractSyntaxTree checkedMessage(JsonNode rule) throws InvalidRuleException {
        try {
            CelAbstractSyntaxTree tree = CelEngine.checked(compiler(rule), Json.string(rule, "messageExpression"));
            return of(tree, SimpleType.STRING, "messageExpression must evaluate to a string");
        } catch (CelValidationException e) {
            throw new InvalidRuleException("messageExpression compilation failed: " + e.getMessage(), e);
        }
    }

    private static CelAbstractSyntaxTree of(CelAbstractSyntaxTree tree, CelType type, String problem)
            throws InvalidRuleException {
        if (!tree.getResultType().equals(type)) {
            throw new InvalidRuleException(problem, null);
        }
        return tree;
    }

    private CelCompiler compiler(JsonNode rule) {
        CelSchemaTypes types = new CelSchemaTypes();
        // No identifier begins with @. A type with the name of a variable would hide the variable.
        CelType self = types.of(schema, "@self", resource).orElse(SimpleType.DYN);
        boolean optional = rule.path("optionalOldSelf").booleanValue(false);
        return CelEngine.compiler(
                Map.of("self", self, "oldSelf", optional ? OptionalType.create(self) : self),
                types.named(),
                SimpleType.DYN);
    }
}
