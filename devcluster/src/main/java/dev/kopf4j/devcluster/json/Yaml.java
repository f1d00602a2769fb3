package dev.kopf4j.devcluster.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads YAML into JSON trees. Stateless; loaded only when a client sends YAML. */
public final class Yaml {
    private Yaml() {}

    /** All documents of a text, empty ones left out; {@code YamlEngineException} when it is not YAML. */
    public static List<JsonNode> documents(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(16 << 20)
                .build();
        List<JsonNode> documents = new ArrayList<>();
        for (Object document : new Load(settings).loadAllFromString(text)) {
            if (document != null) {
                documents.add(node(document));
            }
        }
        return documents;
    }

    private static JsonNode node(@Nullable Object value) {
        JsonNodeFactory factory = JsonNodeFactory.instance;
        return switch (value) {
            case null -> factory.nullNode();
            case Map<?, ?> map -> object(map);
            case Iterable<?> list -> array(list);
            case Boolean flag -> factory.booleanNode(flag);
            case Integer number -> factory.numberNode(number);
            case Long number -> factory.numberNode(number);
            case java.math.BigInteger number -> factory.numberNode(number);
            case Double number -> factory.numberNode(java.math.BigDecimal.valueOf(number));
            default -> factory.stringNode(value.toString());
        };
    }

    private static ObjectNode object(Map<?, ?> map) {
        ObjectNode object = Json.object();
        map.forEach((key, value) -> object.set(String.valueOf(key), node(value)));
        return object;
    }

    private static ArrayNode array(Iterable<?> list) {
        ArrayNode array = Json.array();
        list.forEach(item -> array.add(node(item)));
        return array;
    }
}
