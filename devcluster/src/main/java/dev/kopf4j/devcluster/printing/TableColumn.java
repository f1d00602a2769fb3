package dev.kopf4j.devcluster.printing;

import java.time.Instant;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;

/**
 * One column of a table.
 *
 * @param cell the value for an object at a time
 */
public record TableColumn(
        String name,
        String type,
        String format,
        String description,
        int priority,
        BiFunction<JsonNode, Instant, JsonNode> cell) {}
