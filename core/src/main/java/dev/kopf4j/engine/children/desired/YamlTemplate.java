package dev.kopf4j.engine.children.desired;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A text of YAML in which {@code ${spec.image}} stands for a value of an object. It is filled after it was parsed, so
 * that no value can add a field. A text that is nothing but one such name becomes the value itself, with its type;
 * {@code $$} is a dollar. Immutable.
 *
 * @param text one document or several
 */
record YamlTemplate(String text) {
    private static final Pattern NAME = Pattern.compile("\\$\\$|\\$\\{([^}]*)\\}");

    /** The objects of all documents, with the values of that object. */
    List<ObjectNode> fill(ObjectNode values) {
        List<ObjectNode> objects = new ArrayList<>();
        for (Object document : documents()) {
            if (document == null) {
                continue;
            }
            if (!(filled(tree(document), values) instanceof ObjectNode object)) {
                throw new IllegalArgumentException("a document of the YAML is no object: " + document);
            }
            objects.add(object);
        }
        return objects;
    }

    private List<@Nullable Object> documents() {
        List<@Nullable Object> documents = new ArrayList<>();
        try {
            new Load(LoadSettings.builder().setLabel("the YAML of children").build())
                    .loadAllFromString(text)
                    .forEach(documents::add);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("the children are not valid YAML: " + e.getMessage(), e);
        }
        return documents;
    }

    private static JsonNode tree(Object document) {
        try {
            return Json.fromJava(document);
        } catch (JsonConversionException e) {
            throw new IllegalArgumentException("the YAML of children is not like JSON: " + e.getMessage(), e);
        }
    }

    private static JsonNode filled(JsonNode template, ObjectNode values) {
        return switch (template) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.forEachEntry((key, value) -> copy.set(filledText(key, values), filled(value, values)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(filled(item, values)));
                yield copy;
            }
            default -> template.isString() ? filledValue(template.stringValue(), values) : template;
        };
    }

    private static JsonNode filledValue(String text, ObjectNode values) {
        Matcher whole = NAME.matcher(text);
        return whole.matches() && whole.group(1) != null
                ? value(whole.group(1), values)
                : JsonNodeFactory.instance.stringNode(filledText(text, values));
    }

    private static String filledText(String text, ObjectNode values) {
        return NAME.matcher(text).replaceAll(found -> {
            String name = found.group(1);
            return Matcher.quoteReplacement(name == null ? "$" : shown(value(name, values)));
        });
    }

    private static String shown(JsonNode value) {
        return value.isValueNode() ? value.asString() : Json.text(value);
    }

    private static JsonNode value(String name, ObjectNode values) {
        JsonNode value = FieldPath.parse(name.strip()).resolve(values);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException("the object has no value at '" + name
                    + "', which the YAML of its children names as ${" + name
                    + "}; set a default in its definition, or write $${...} for the text itself");
        }
        return value.deepCopy();
    }
}
