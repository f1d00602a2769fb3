package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.ListTypes;
import dev.kopf4j.devcluster.schema.Schema;
import dev.kopf4j.devcluster.status.Cause;
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
public final class SchemaRules {
    private static final String KEYWORD = "x-kubernetes-validations";
    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");
    private static final Pattern NAME = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_]*)|\\['([^']*)'\\]");
    private static final List<String> REASONS =
            List.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");
    private final Schema root;
    private final IdentityHashMap<JsonNode, List<Rule>> compiled = new IdentityHashMap<>();

    /** The rules of a schema. */
    public SchemaRules(Schema root) {
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
    public static boolean exist(Schema schema) {
        return schema.node().has(KEYWORD) || !schema.node().findValues(KEYWORD).isEmpty();
    }

    /** What is wrong with the rules themselves, by the path of the schema. */
    public static List<Cause> wrong(Schema schema, String path) {
        List<Cause> causes = new ArrayList<>();
        findWrong(schema, path, true, true, causes);
        return causes;
    }

    private static void findWrong(
            Schema schema, String path, boolean resource, boolean correlates, List<Cause> causes) {
        int index = 0;
        for (JsonNode rule : schema.node().path(KEYWORD)) {
            wrongRule(schema, rule, path + "." + KEYWORD + "[" + index++ + "]", resource, correlates, causes);
        }
        schema.node()
                .path("properties")
                .properties()
                .forEach(entry -> findWrong(
                        new Schema(entry.getValue()),
                        path + ".properties[" + entry.getKey() + "]",
                        false,
                        correlates,
                        causes));
        boolean keyed = correlates && schema.listType().equals("map");
        schema.items().ifPresent(items -> findWrong(items, path + ".items", false, keyed, causes));
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            findWrong(new Schema(additional), path + ".additionalProperties", false, correlates, causes);
        }
    }

    private static void wrongRule(
            Schema schema, JsonNode rule, String path, boolean resource, boolean correlates, List<Cause> causes) {
        String expression = Json.string(rule, "rule");
        if (expression.isBlank()) {
            causes.add(Cause.required(path + ".rule", "rule is not specified"));
        } else {
            notCompiling(schema, resource, rule, "rule", SimpleType.BOOL, path, causes);
        }
        if (!correlates && OLD.matcher(expression).find()) {
            causes.add(Cause.invalidString(
                    path + ".rule",
                    expression,
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within a list"));
        }
        if (rule.has("optionalOldSelf") && !OLD.matcher(expression).find()) {
            causes.add(Cause.invalid(
                    path + ".optionalOldSelf",
                    rule.get("optionalOldSelf").asString(""),
                    "may not be set if oldSelf is not used in rule"));
        }
        if (rule.has("messageExpression")) {
            notCompiling(schema, resource, rule, "messageExpression", SimpleType.STRING, path, causes);
        }
        String message = Json.string(rule, "message");
        if (rule.has("message") && (message.isBlank() || message.contains("\n"))) {
            causes.add(Cause.invalidString(path + ".message", message, "message must not contain line breaks"));
        }
        String reason = Json.string(rule, "reason");
        if (!reason.isEmpty() && !REASONS.contains(reason)) {
            causes.add(Cause.notSupported(path + ".reason", Cause.quote(reason), REASONS));
        }
        String field = Json.string(rule, "fieldPath");
        if (!field.isEmpty() && errorPath(schema, field).isEmpty()) {
            causes.add(Cause.invalidString(path + ".fieldPath", field, "fieldPath must be a valid path"));
        }
    }

    /** The path of errors for a JSON path below a schema: {@code .a['b']} is {@code a.b}, or {@code a[b]} in a map. */
    private static Optional<String> errorPath(Schema schema, String path) {
        Schema found = schema;
        String normal = "";
        Matcher names = NAME.matcher(path);
        int end = 0;
        while (names.find() && names.start() == end) {
            String name = names.group(1) == null ? names.group(2) : names.group(1);
            Optional<Schema> below = found.field(name);
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
            Schema schema,
            boolean resource,
            JsonNode rule,
            String field,
            CelType result,
            String path,
            List<Cause> causes) {
        try {
            Engine.program(compiler(schema, resource, rule, result), Json.string(rule, field));
        } catch (CelValidationException | IllegalArgumentException e) {
            causes.add(Cause.invalid(path + "." + field, Json.text(rule), "compilation failed: " + e.getMessage()));
        }
    }

    private static CelCompiler compiler(Schema schema, boolean resource, JsonNode rule, CelType result) {
        SchemaTypes types = new SchemaTypes();
        // No identifier begins so: a type of the name of an expression would take its place.
        CelType self = types.of(schema, "@self", resource);
        boolean optional = rule.path("optionalOldSelf").booleanValue(false);
        return Engine.compiler(
                Map.of("self", self, "oldSelf", optional ? OptionalType.create(self) : self), types.named(), result);
    }

    private static Rule compile(Schema schema, boolean resource, JsonNode rule) throws CelValidationException {
        String message = Json.string(rule, "messageExpression");
        return new Rule(
                rule,
                Engine.program(compiler(schema, resource, rule, SimpleType.BOOL), Json.string(rule, "rule")),
                message.isEmpty()
                        ? null
                        : Engine.program(compiler(schema, resource, rule, SimpleType.STRING), message));
    }

    /** What rules an object breaks; the former state is null when there is none. */
    public List<Cause> check(ObjectNode object, @Nullable JsonNode before) {
        List<Cause> causes = new ArrayList<>();
        walk(root, object, new Former(before, before), "", true, causes);
        return causes;
    }

    /** What rules know as {@code oldSelf}, and what decides whether a value has changed; not the same in lists. */
    private record Former(
            @Nullable JsonNode known, @Nullable JsonNode compared) {
        Former field(String name) {
            return new Former(known == null ? null : known.get(name), compared == null ? null : compared.get(name));
        }

        Former element(Schema list, JsonNode element, int index) {
            boolean keyed = list.listType().equals("map");
            return new Former(
                    known == null || !keyed ? null : ListTypes.counterpart(list, element, known, index),
                    compared == null ? null : ListTypes.counterpart(list, element, compared, index));
        }
    }

    private void walk(Schema schema, JsonNode value, Former former, String path, boolean resource, List<Cause> causes) {
        for (Rule rule : rules(schema, resource)) {
            apply(rule, schema, value, former, path, causes);
        }
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String below = schema.pathOf(entry.getKey(), path);
                schema.field(entry.getKey())
                        .ifPresent(field ->
                                walk(field, entry.getValue(), former.field(entry.getKey()), below, false, causes));
            }
        } else if (value instanceof ArrayNode array && schema.items().isPresent()) {
            for (int index = 0; index < array.size(); index++) {
                JsonNode element = array.get(index);
                Former one = former.element(schema, element, index);
                walk(schema.items().get(), element, one, path + "[" + index + "]", false, causes);
            }
        }
    }

    private List<Rule> rules(Schema schema, boolean resource) {
        JsonNode keyword = schema.node().path(KEYWORD);
        if (keyword.isEmpty()) {
            return List.of();
        }
        synchronized (compiled) {
            return compiled.computeIfAbsent(schema.node(), node -> compileAll(schema, resource, keyword));
        }
    }

    private static List<Rule> compileAll(Schema schema, boolean resource, JsonNode keyword) {
        List<Rule> rules = new ArrayList<>();
        for (JsonNode rule : keyword) {
            try {
                rules.add(compile(schema, resource, rule));
            } catch (CelValidationException e) {
                throw new IllegalStateException("a stored rule does not compile: " + Json.text(rule), e);
            }
        }
        return rules;
    }

    private static void apply(
            Rule rule, Schema schema, JsonNode value, Former former, String path, List<Cause> causes) {
        JsonNode before = former.known();
        if (rule.comparesWithOld() && before == null && !rule.oldIsOptional()) {
            return;
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", Values.of(schema, value));
        if (rule.oldIsOptional()) {
            variables.put("oldSelf", Optional.ofNullable(before).map(old -> Values.of(schema, old)));
        } else if (before != null) {
            variables.put("oldSelf", Values.of(schema, before));
        }
        boolean ratchets =
                !rule.comparesWithOld() && former.compared() != null && Equality.same(former.compared(), value);
        try {
            if (!Boolean.TRUE.equals(rule.program().eval(variables)) && !ratchets) {
                causes.add(broken(rule, message(rule, variables), schema, path));
            }
        } catch (CelEvaluationException e) { // counts even for what has not changed, and knows no reason of its own
            String message = e.getMessage() + " evaluating rule: " + words(rule, "");
            causes.add(Cause.invalid(path.isEmpty() ? "<nil>" : path, Cause.quote(schema.type()), message));
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

    private static Cause broken(Rule rule, String message, Schema schema, String path) {
        String field = errorPath(schema, Json.string(rule.node(), "fieldPath")).orElse("");
        String below = path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
        String where = below.isEmpty() ? "<nil>" : below;
        String value = Cause.quote(schema.type());
        return switch (Json.string(rule.node(), "reason")) {
            case "FieldValueForbidden" -> Cause.forbidden(where, message);
            case "FieldValueRequired" -> Cause.required(where, message);
            case "FieldValueDuplicate" -> new Cause(Cause.Type.DUPLICATE, "Duplicate value: " + value, where);
            default -> Cause.invalid(where, value, message);
        };
    }
}
