package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.schema.ListTypeValidation;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code x-kubernetes-validations} of one schema, compiled when first needed. Thread-safe. */
public final class ValidationRules {
    private static final String KEYWORD = "x-kubernetes-validations";
    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");
    private static final Pattern NAME = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_]*)|\\['([^']*)'\\]");
    private static final List<String> REASONS =
            List.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");
    private final StructuralSchema root;
    private final IdentityHashMap<JsonNode, List<Rule>> compiled = new IdentityHashMap<>();

    /** The rules of a schema. */
    public ValidationRules(StructuralSchema root) {
        this.root = root;
    }

    private record Rule(JsonNode node, CelRuntime.Program program, CelRuntime.@Nullable Program message) {
        boolean comparesWithOld() {
            return OLD.matcher(Json.string(node, "rule")).find();
        }

        boolean oldIsOptional() {
            return node.path("optionalOldSelf").booleanValue(false);
        }
    }

    /** Whether a schema has any rules. */
    public static boolean exist(StructuralSchema structuralSchema) {
        return structuralSchema.node().has(KEYWORD)
                || !structuralSchema.node().findValues(KEYWORD).isEmpty();
    }

    /** What is wrong with the rules themselves, by the path of the schema. */
    public static List<FieldError> wrong(StructuralSchema structuralSchema, String path) {
        List<FieldError> causes = new ArrayList<>();
        findWrong(structuralSchema, path, true, true, causes);
        return causes;
    }

    private static void findWrong(
            StructuralSchema structuralSchema,
            String path,
            boolean resource,
            boolean correlates,
            List<FieldError> causes) {
        int index = 0;
        for (JsonNode rule : structuralSchema.node().path(KEYWORD)) {
            wrongRule(structuralSchema, rule, path + "." + KEYWORD + "[" + index++ + "]", resource, correlates, causes);
        }
        structuralSchema
                .node()
                .path("properties")
                .properties()
                .forEach(entry -> findWrong(
                        new StructuralSchema(entry.getValue()),
                        path + ".properties[" + entry.getKey() + "]",
                        false,
                        correlates,
                        causes));
        boolean keyed = correlates && structuralSchema.listType().equals("map");
        structuralSchema.items().ifPresent(items -> findWrong(items, path + ".items", false, keyed, causes));
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        if (additional.isObject()) {
            findWrong(new StructuralSchema(additional), path + ".additionalProperties", false, correlates, causes);
        }
    }

    private static void wrongRule(
            StructuralSchema structuralSchema,
            JsonNode rule,
            String path,
            boolean resource,
            boolean correlates,
            List<FieldError> causes) {
        String expression = Json.string(rule, "rule");
        if (expression.isBlank()) {
            causes.add(FieldError.required(path + ".rule", "rule is not specified"));
        } else {
            notCompiling(structuralSchema, resource, rule, "rule", SimpleType.BOOL, path, causes);
        }
        if (!correlates && OLD.matcher(expression).find()) {
            causes.add(FieldError.invalidString(
                    path + ".rule",
                    expression,
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within a list"));
        }
        if (rule.has("optionalOldSelf") && !OLD.matcher(expression).find()) {
            causes.add(FieldError.invalid(
                    path + ".optionalOldSelf",
                    rule.get("optionalOldSelf").asString(""),
                    "may not be set if oldSelf is not used in rule"));
        }
        if (rule.has("messageExpression")) {
            notCompiling(structuralSchema, resource, rule, "messageExpression", SimpleType.STRING, path, causes);
        }
        String message = Json.string(rule, "message");
        if (rule.has("message") && (message.isBlank() || message.contains("\n"))) {
            causes.add(FieldError.invalidString(path + ".message", message, "message must not contain line breaks"));
        }
        String reason = Json.string(rule, "reason");
        if (!reason.isEmpty() && !REASONS.contains(reason)) {
            causes.add(FieldError.notSupported(path + ".reason", FieldError.quote(reason), REASONS));
        }
        String field = Json.string(rule, "fieldPath");
        if (!field.isEmpty() && errorPath(structuralSchema, field).isEmpty()) {
            causes.add(FieldError.invalidString(path + ".fieldPath", field, "fieldPath must be a valid path"));
        }
    }

    /** The path of errors for a JSON path below a schema: {@code .a['b']} is {@code a.b}, or {@code a[b]} in a map. */
    private static Optional<String> errorPath(StructuralSchema structuralSchema, String path) {
        StructuralSchema found = structuralSchema;
        String normal = "";
        Matcher names = NAME.matcher(path);
        int end = 0;
        while (names.find() && names.start() == end) {
            String name = names.group(1) == null ? names.group(2) : names.group(1);
            Optional<StructuralSchema> below = found.field(name);
            if (below.isEmpty()) {
                return Optional.empty();
            }
            normal = found.pathOf(name, normal);
            found = below.get();
            end = names.end();
        }
        return end == path.length() ? Optional.of(normal) : Optional.empty();
    }

    private static void notCompiling(
            StructuralSchema structuralSchema,
            boolean resource,
            JsonNode rule,
            String field,
            CelType result,
            String path,
            List<FieldError> causes) {
        try {
            CelEngine.program(compiler(structuralSchema, resource, rule, result), Json.string(rule, field));
        } catch (CelValidationException | IllegalArgumentException e) {
            causes.add(
                    FieldError.invalid(path + "." + field, Json.text(rule), "compilation failed: " + e.getMessage()));
        }
    }

    private static CelCompiler compiler(
            StructuralSchema structuralSchema, boolean resource, JsonNode rule, CelType result) {
        CelSchemaTypes types = new CelSchemaTypes();
        // No identifier begins so: a type of the name of an expression would take its place.
        CelType self = types.of(structuralSchema, "@self", resource);
        boolean optional = rule.path("optionalOldSelf").booleanValue(false);
        return CelEngine.compiler(
                Map.of("self", self, "oldSelf", optional ? OptionalType.create(self) : self), types.named(), result);
    }

    private static Rule compile(StructuralSchema structuralSchema, boolean resource, JsonNode rule)
            throws CelValidationException {
        String message = Json.string(rule, "messageExpression");
        return new Rule(
                rule,
                CelEngine.program(
                        compiler(structuralSchema, resource, rule, SimpleType.BOOL), Json.string(rule, "rule")),
                message.isEmpty()
                        ? null
                        : CelEngine.program(compiler(structuralSchema, resource, rule, SimpleType.STRING), message));
    }

    /** What rules an object breaks; the former state is null when there is none. */
    public List<FieldError> check(ObjectNode object, @Nullable JsonNode before) {
        List<FieldError> causes = new ArrayList<>();
        walk(root, object, new OldValue(before, before), "", true, causes);
        return causes;
    }

    /** What rules know as {@code oldSelf}, and what decides whether a value has changed; not the same in lists. */
    private record OldValue(
            @Nullable JsonNode known, @Nullable JsonNode compared) {
        OldValue field(String name) {
            return new OldValue(known == null ? null : known.get(name), compared == null ? null : compared.get(name));
        }

        OldValue element(StructuralSchema list, JsonNode element, int index) {
            boolean keyed = list.listType().equals("map");
            return new OldValue(
                    known == null || !keyed ? null : ListTypeValidation.counterpart(list, element, known, index),
                    compared == null ? null : ListTypeValidation.counterpart(list, element, compared, index));
        }
    }

    private void walk(
            StructuralSchema structuralSchema,
            JsonNode value,
            OldValue oldValue,
            String path,
            boolean resource,
            List<FieldError> causes) {
        for (Rule rule : rules(structuralSchema, resource)) {
            apply(rule, structuralSchema, value, oldValue, path, causes);
        }
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String below = structuralSchema.pathOf(entry.getKey(), path);
                structuralSchema
                        .field(entry.getKey())
                        .ifPresent(field ->
                                walk(field, entry.getValue(), oldValue.field(entry.getKey()), below, false, causes));
            }
        } else if (value instanceof ArrayNode array && structuralSchema.items().isPresent()) {
            for (int index = 0; index < array.size(); index++) {
                JsonNode element = array.get(index);
                OldValue one = oldValue.element(structuralSchema, element, index);
                walk(structuralSchema.items().get(), element, one, path + "[" + index + "]", false, causes);
            }
        }
    }

    private List<Rule> rules(StructuralSchema structuralSchema, boolean resource) {
        JsonNode keyword = structuralSchema.node().path(KEYWORD);
        if (keyword.isEmpty()) {
            return List.of();
        }
        synchronized (compiled) {
            return compiled.computeIfAbsent(
                    structuralSchema.node(), node -> compileAll(structuralSchema, resource, keyword));
        }
    }

    private static List<Rule> compileAll(StructuralSchema structuralSchema, boolean resource, JsonNode keyword) {
        List<Rule> rules = new ArrayList<>();
        for (JsonNode rule : keyword) {
            try {
                rules.add(compile(structuralSchema, resource, rule));
            } catch (CelValidationException e) {
                throw new IllegalStateException("a stored rule does not compile: " + Json.text(rule), e);
            }
        }
        return rules;
    }

    private static void apply(
            Rule rule,
            StructuralSchema structuralSchema,
            JsonNode value,
            OldValue oldValue,
            String path,
            List<FieldError> causes) {
        JsonNode before = oldValue.known();
        if (rule.comparesWithOld() && before == null && !rule.oldIsOptional()) {
            return;
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", CelValues.of(structuralSchema, value));
        if (rule.oldIsOptional()) {
            variables.put("oldSelf", Optional.ofNullable(before).map(old -> CelValues.of(structuralSchema, old)));
        } else if (before != null) {
            variables.put("oldSelf", CelValues.of(structuralSchema, before));
        }
        boolean ratchets =
                !rule.comparesWithOld() && oldValue.compared() != null && JsonEquality.same(oldValue.compared(), value);
        try {
            if (!Boolean.TRUE.equals(rule.program().eval(variables)) && !ratchets) {
                causes.add(broken(rule, message(rule, variables), structuralSchema, path));
            }
        } catch (CelEvaluationException e) { // counts even for what has not changed, and knows no reason of its own
            String message = e.getMessage() + " evaluating rule: " + words(rule, "");
            causes.add(FieldError.invalid(
                    path.isEmpty() ? "<nil>" : path, FieldError.quote(structuralSchema.type()), message));
        }
    }

    private static String message(Rule rule, Map<String, Object> variables) {
        CelRuntime.Program expression = rule.message();
        String usual = words(rule, "failed rule: ");
        if (expression == null) {
            return usual;
        }
        try {
            String said = String.valueOf(expression.eval(variables)).strip();
            return said.isBlank() || said.contains("\n") ? usual : said;
        } catch (CelEvaluationException e) {
            return usual; // as a real server does: the rule counts, not its words
        }
    }

    /** The message of a rule, or the rule itself behind some words. */
    private static String words(Rule rule, String before) {
        String message = Json.string(rule.node(), "message").strip();
        return message.isEmpty() ? before + Json.string(rule.node(), "rule").strip() : message;
    }

    private static FieldError broken(Rule rule, String message, StructuralSchema structuralSchema, String path) {
        String field = errorPath(structuralSchema, Json.string(rule.node(), "fieldPath"))
                .orElse("");
        String below = path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
        String where = below.isEmpty() ? "<nil>" : below;
        String value = FieldError.quote(structuralSchema.type());
        return switch (Json.string(rule.node(), "reason")) {
            case "FieldValueForbidden" -> FieldError.forbidden(where, message);
            case "FieldValueRequired" -> FieldError.required(where, message);
            case "FieldValueDuplicate" -> new FieldError(FieldError.Type.DUPLICATE, "Duplicate value: " + value, where);
            default -> FieldError.invalid(where, value, message);
        };
    }
}
