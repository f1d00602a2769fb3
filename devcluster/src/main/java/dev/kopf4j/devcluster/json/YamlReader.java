package dev.kopf4j.devcluster.json;

import dev.kopf4j.json.JsonLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads YAML into JSON trees. Stateless; loaded only when a client sends YAML. */
public final class YamlReader {
    /** More than the longest body that the server accepts. */
    static final int MAX_LENGTH = 16 << 20;

    private static final double LONG_MAX = 0x1p63;

    private YamlReader() {}

    /** All documents of a text, without empty ones; {@code YamlEngineException} if it is not YAML. */
    public static List<JsonNode> documents(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(MAX_LENGTH)
                .build();
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (Object document : new Load(settings).loadAllFromString(text)) {
                if (document != null) {
                    documents.add(node(document, 0));
                }
            }
        } catch (StackOverflowError e) {
            throw new YamlEngineException("nested too deeply", e); // the library has no limit of its own
        }
        return documents;
    }

    private static void limit(int depth) {
        if (depth > JsonLimits.SERVER_LEVELS_MAX) {
            throw new YamlEngineException("nested deeper than " + JsonLimits.SERVER_LEVELS_MAX + " levels");
        }
    }

    private static JsonNode node(@Nullable Object value, int depth) {
        limit(depth); // aliases may make a document deeper than it is written
        JsonNodeFactory factory = JsonNodeFactory.instance;
        return switch (value) {
            case null -> factory.nullNode();
            case Map<?, ?> map -> object(map, depth + 1);
            case Iterable<?> list -> array(list, depth + 1);
            case Boolean flag -> factory.booleanNode(flag);
            case Integer number -> factory.numberNode(number);
            case Long number -> factory.numberNode(number);
            case java.math.BigInteger number -> factory.numberNode(number);
            case Double number -> {
                if (number.isNaN() || number.isInfinite()) {
                    throw new YamlEngineException("json: unsupported value: " + number);
                }
                boolean whole = number == Math.rint(number) && Math.abs(number) < LONG_MAX;
                yield whole
                        ? factory.numberNode(number.longValue())
                        : factory.numberNode(java.math.BigDecimal.valueOf(number));
            }
            default -> factory.stringNode(value.toString());
        };
    }

    private static ObjectNode object(Map<?, ?> map, int depth) {
        ObjectNode object = Json.object();
        map.forEach((key, value) -> object.set(String.valueOf(key), node(value, depth)));
        return object;
    }

    private static ArrayNode array(Iterable<?> list, int depth) {
        ArrayNode array = Json.array();
        list.forEach(item -> array.add(node(item, depth)));
        return array;
    }
}
