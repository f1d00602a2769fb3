package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.Map;
import java.util.Optional;
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
                CelEngine.program(compiler(rule, SimpleType.BOOL), Json.string(rule, "rule")),
                message.isEmpty() ? null : CelEngine.program(compiler(rule, SimpleType.STRING), message));
    }

    /** Why the rule itself does not compile; empty if it does. */
    Optional<String> problemOfRule(JsonNode rule) {
        return problem(rule, "rule", SimpleType.BOOL);
    }

    /** Why the expression of its message does not compile; empty if it does. */
    Optional<String> problemOfMessage(JsonNode rule) {
        return problem(rule, "messageExpression", SimpleType.STRING);
    }

    private Optional<String> problem(JsonNode rule, String property, CelType result) {
        try {
            CelEngine.program(compiler(rule, result), Json.string(rule, property));
            return Optional.empty();
        } catch (CelValidationException | IllegalArgumentException e) {
            return Optional.of("compilation failed: " + e.getMessage());
        }
    }

    private CelCompiler compiler(JsonNode rule, CelType result) {
        CelSchemaTypes types = new CelSchemaTypes();
        // No identifier begins with @. A type with the name of a variable would hide the variable.
        CelType self = types.of(schema, "@self", resource);
        boolean optional = rule.path("optionalOldSelf").booleanValue(false);
        return CelEngine.compiler(
                Map.of("self", self, "oldSelf", optional ? OptionalType.create(self) : self), types.named(), result);
    }
}
