package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What kube-apiserver does with one built-in kind, of {@code kinds/kinds.yaml}. An answer is the status, and the
 * reasons and fields of all causes, as in the rules.
 *
 * @param path the collection
 * @param object a small valid object
 * @param stored whether it can be read again; reviews cannot
 * @param required fields without which the object is refused, with the answer
 * @param defaulted what the server fills in, with the values
 * @param generated fields whose values each server makes up
 * @param basis defaults of which others are made; whoever writes them out gets other defaults
 * @param more what the object has besides while immutable fields are changed
 * @param invalid values that are refused at a creation
 * @param immutable values that are refused, or dropped ({@code kept}), at an update
 * @param status {@code path}, {@code value}, and whether it is {@code taken} or {@code ignored} by a creation, an
 *     update and an update of the status, and the {@code change} by the latter; missing if there is no such endpoint
 * @param change a {@code path} and a {@code value} that an update may set
 * @param generation of a new object, after a change of the labels, and after {@code change}; 0 if it has none
 * @param scale whether there is a scale endpoint
 * @param columns the names of the table's columns
 * @param differs rows that the dev cluster answers otherwise, with its answer
 */
public record KindTable(
        String path,
        JsonNode object,
        boolean stored,
        Map<String, JsonNode> required,
        Map<String, JsonNode> defaulted,
        List<String> generated,
        List<String> basis,
        JsonNode more,
        List<Case> invalid,
        List<Case> immutable,
        JsonNode status,
        JsonNode change,
        List<Integer> generation,
        boolean scale,
        List<String> columns,
        Map<String, JsonNode> differs) {

    /** A value at a path, and the answer to it. */
    public record Case(String path, JsonNode value, String answer) {}

    /** The tables of all kinds. */
    public static List<KindTable> all() {
        try (InputStream stream = Objects.requireNonNull(KindTable.class.getResourceAsStream("/kinds/kinds.yaml"))) {
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return YamlReader.documents(text).stream().map(KindTable::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KindTable of(JsonNode table) {
        return new KindTable(
                Json.string(table, "path"),
                table.path("object"),
                table.path("stored").booleanValue(true),
                map(table.path("required")),
                map(table.path("defaulted")),
                strings(table.path("generated")),
                strings(table.path("basis")),
                table.path("more"),
                cases(table.path("invalid")),
                cases(table.path("immutable")),
                table.path("status"),
                table.path("change"),
                table.path("generation").valueStream().map(JsonNode::intValue).toList(),
                table.path("scale").booleanValue(false),
                strings(table.path("columns")),
                map(table.path("differs")));
    }

    private static Map<String, JsonNode> map(JsonNode object) {
        Map<String, JsonNode> map = new LinkedHashMap<>();
        object.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }

    private static List<Case> cases(JsonNode array) {
        List<Case> cases = new ArrayList<>();
        array.forEach(each ->
                cases.add(new Case(Json.string(each, "path"), each.path("value"), Json.string(each, "answer"))));
        return cases;
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }

    /** The name of the object; empty for reviews. */
    String name() {
        return Json.string(object, "metadata", "name");
    }

    /** The object's own path. */
    String item() {
        return path + "/" + name();
    }

    /** A copy of the object. */
    ObjectNode copy() {
        return (ObjectNode) object.deepCopy();
    }

    /** The resource and its version, as {@code deployments.apps/v1}. */
    public String title() {
        String[] parts = path.split("/", -1);
        String plural = parts[parts.length - 1];
        return parts[1].equals("api") ? plural + "/v1" : plural + "." + parts[2] + "/" + parts[3];
    }

    /** The resource with its group, as {@code deployments.apps}. */
    public String qualified() {
        return title().substring(0, title().lastIndexOf('/'));
    }
}
