package dev.kopf4j.devcluster.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes JSON trees as YAML. */
public final class YamlWriter {
    private YamlWriter() {}

    /** One document in block style. */
    public static String text(JsonNode node) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(1 << 20)
                .build();
        return new Dump(settings).dumpToString(plain(node));
    }

    private static @Nullable Object plain(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                object.properties().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
                yield map;
            }
            case ArrayNode array -> {
                List<@Nullable Object> list = new ArrayList<>();
                array.forEach(item -> list.add(plain(item)));
                yield list;
            }
            default -> scalar(node);
        };
    }

    private static @Nullable Object scalar(JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL, MISSING -> null;
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.isIntegralNumber() ? (Object) node.bigIntegerValue() : (Object) node.doubleValue();
            default -> node.asString();
        };
    }
}
