package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.HashMap;
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

    /**
     * The types of a schema's values in expressions: with them a misspelt field is an error of the definition, not of
     * its objects. Follows {@code pkg/cel/common/schemas.go} of the apiserver library, v1.33.
     */
    private static final class CelSchemaTypes {
        private final Map<String, CelType> named = new HashMap<>();

        Map<String, CelType> named() {
            return named;
        }

        /**
         * The type of a schema's values; empty if expressions cannot read them.
         *
         * @param path a name for the type
         * @param resource true for what has a type and metadata of its own
         */
        Optional<CelType> of(StructuralSchema schema, String path, boolean resource) {
            if (schema.flag("x-kubernetes-int-or-string")) {
                return Optional.of(SimpleType.DYN);
            }
            return switch (schema.type()) {
                case "object" -> object(schema, path, resource);
                case "array" ->
                    schema.items()
                            .flatMap(items -> values(items, path + ".@items"))
                            .map(ListType::create);
                case "string" -> Optional.of(string(schema));
                case "boolean" -> Optional.of(SimpleType.BOOL);
                case "integer" -> Optional.of(SimpleType.INT);
                case "number" -> Optional.of(SimpleType.DOUBLE);
                default -> Optional.empty();
            };
        }

        private Optional<CelType> values(StructuralSchema schema, String path) {
            return of(schema, path, schema.embedsResource());
        }

        private static CelType string(StructuralSchema structuralSchema) {
            return switch (structuralSchema.node().path("format").asString("")) {
                case "byte" -> SimpleType.BYTES;
                case "duration" -> SimpleType.DURATION;
                case "date", "date-time" -> SimpleType.TIMESTAMP;
                default -> SimpleType.STRING;
            };
        }

        private Optional<CelType> object(StructuralSchema schema, String path, boolean resource) {
            JsonNode additional = schema.node().path("additionalProperties");
            if (additional.isObject()) {
                return values(new StructuralSchema(additional), path + ".@values")
                        .map(type -> MapType.create(SimpleType.STRING, type));
            }
            Map<String, CelType> fields = new HashMap<>();
            schema.node()
                    .path("properties")
                    .properties()
                    .forEach(entry -> values(new StructuralSchema(entry.getValue()), path + "." + entry.getKey())
                            .ifPresent(type -> fields.put(FieldNameEscaping.escape(entry.getKey()), type)));
            if (resource) {
                fields.put("apiVersion", SimpleType.STRING);
                fields.put("kind", SimpleType.STRING);
                fields.put("metadata", metadata(path + ".metadata"));
            }
            return Optional.of(struct(path, fields));
        }

        /** Expressions can read only the names in the metadata. */
        private CelType metadata(String path) {
            return struct(path, Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING));
        }

        private CelType struct(String path, Map<String, CelType> fields) {
            ImmutableMap<String, CelType> fixed = ImmutableMap.copyOf(fields);
            StructType type = StructType.create(
                    path, ImmutableSet.copyOf(fields.keySet()), name -> Optional.ofNullable(fixed.get(name)));
            named.put(path, type);
            return type;
        }
    }
}
