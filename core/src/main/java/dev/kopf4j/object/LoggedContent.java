package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonDiff;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.DuplicateKeyException;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * What may be logged of the content of an object: all of it, but of Secrets the keys alone. Copies of it are content,
 * too: in annotations (the last handled state, what {@code kubectl apply} keeps), and in the status (what handlers
 * return). Pure.
 */
public final class LoggedContent {
    private static final String HIDDEN = "(hidden)";
    /** The fields of a Secret that have none of its values; handlers may write such values into any other one. */
    private static final List<String> SHOWN_STANZAS = List.of("apiVersion", "kind", "type", "immutable", "metadata");

    /** What the parser says without a word of the text; all else may have one, such as the name of an alias. */
    private static final Pattern UNQUOTING_PROBLEM =
            Pattern.compile("(mapping values|mapping keys|sequence entries) are not allowed here.*"
                    + "|could not find expected ':'"
                    + "|found character '(.|\\\\t\\(TAB\\))' that cannot start any token.*"
                    + "|found unexpected (end of stream|document separator)"
                    + "|expected (<[a-z ]+>|[^<>]*), but (found|got) '?(<[a-z ]+>|.)'?");

    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");

    private LoggedContent() {}

    /** An object, or a part of it from the root, such as a merge patch. */
    public static JsonNode of(Resource resource, ObjectNode content) {
        return isSecret(resource) ? hidden(FieldPath.ROOT, content) : content;
    }

    /** The operations of a JSON patch. */
    public static JsonNode of(Resource resource, ArrayNode operations) {
        if (!isSecret(resource)) {
            return operations;
        }
        ArrayNode shown = operations.deepCopy();
        for (JsonNode operation : shown) {
            FieldPath path = pointed(operation.path("path").asString(""));
            if (operation instanceof ObjectNode object && object.has("value")) {
                object.set("value", hidden(path, object.path("value")));
            }
        }
        return shown;
    }

    /** What differs between two states. */
    public static JsonDiff of(Resource resource, JsonDiff diff) {
        return isSecret(resource)
                ? new JsonDiff(diff.items().stream()
                        .map(item -> new JsonDiff.Item(
                                item.operation(),
                                item.field(),
                                hiddenIfThere(item.field(), item.oldValue()),
                                hiddenIfThere(item.field(), item.newValue())))
                        .toList())
                : diff;
    }

    /** True if the values of such objects are shown to nobody. */
    public static boolean isSecret(Resource resource) {
        return resource.group().isEmpty() && resource.plural().equals("secrets");
    }

    /** True if a call was for such an object, or for a child that is one: what it throws or returns may quote it. */
    public static boolean isSecret(HandlerKind kind, HandlerContext context) {
        if (kind == HandlerKind.CHILD) {
            Body child = context.child();
            return (child.apiVersion().equals("v1") && child.kind().equals("Secret")) || isSecret(context.resource());
        }
        return context.resource() != null && isSecret(context.resource()); // activities have none
    }

    /**
     * Where a text is no YAML, and what is wrong there: the end of a sentence. Quotes nothing but single characters,
     * because the text may hold secrets; the exception's own message has the whole line, so it is no good as a cause.
     */
    public static String ofYaml(YamlEngineException problem) {
        return problem instanceof MarkedYamlEngineException marked
                ? marked.getProblemMark()
                                .map(mark -> " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
                                .orElse("")
                        + ": " + words(marked)
                : ": a value is none of its tag, or has characters that YAML does not know, or there is too much of it";
    }

    private static String words(MarkedYamlEngineException problem) {
        String words = String.valueOf(problem.getProblem());
        if (UNQUOTING_PROBLEM.matcher(words).matches()) {
            return words;
        }
        return problem instanceof DuplicateKeyException
                ? "a key is there twice"
                : "this is no YAML; texts that begin with * or ! need quotes, and \\ in quotes has to be \\\\";
    }

    private static FieldPath pointed(String pointer) {
        return pointer.isEmpty()
                ? FieldPath.ROOT
                : new FieldPath(List.of(pointer.substring(1).split("/")));
    }

    private static @Nullable JsonNode hiddenIfThere(FieldPath path, @Nullable JsonNode value) {
        return value == null ? null : hidden(path, value);
    }

    private static JsonNode hidden(FieldPath path, JsonNode value) {
        if (value instanceof ObjectNode object && mayHide(path)) {
            ObjectNode shown = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                shown.set(field.getKey(), hidden(path.append(field.getKey()), field.getValue()));
            }
            return shown;
        }
        return isHidden(path, value) ? StringNode.valueOf(HIDDEN) : value;
    }

    /** True above and within what is hidden: the rest is shown as it is. */
    private static boolean mayHide(FieldPath path) {
        return ANNOTATIONS.startsWith(path) || isContent(path);
    }

    private static boolean isHidden(FieldPath path, JsonNode value) {
        return !value.isNull() && isContent(path);
    }

    private static boolean isContent(FieldPath path) {
        return path.startsWith(ANNOTATIONS)
                || (!path.keys().isEmpty()
                        && !SHOWN_STANZAS.contains(path.keys().getFirst()));
    }
}
