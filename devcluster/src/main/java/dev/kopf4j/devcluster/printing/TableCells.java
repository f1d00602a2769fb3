package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Finds the cells that are computed, by their names in {@code columns.txt}, and has what the groups of cells share.
 * Pure.
 */
final class TableCells {
    static final String NONE = "<none>";
    static final String UNSET = "<unset>";
    private static final int FEW = 3;

    /** A cell's value for an object at a time. */
    @FunctionalInterface
    interface Cell extends BiFunction<JsonNode, Instant, JsonNode> {}

    private static final Map<String, Cell> ALL = Stream.of(
                    general(),
                    PodCells.all(),
                    WorkloadCells.all(),
                    EventCells.all(),
                    NodeCells.all(),
                    VolumeCells.all(),
                    NetworkCells.all(),
                    PolicyCells.all(),
                    ServerCells.all())
            .flatMap(group -> group.entrySet().stream())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private TableCells() {}

    static Cell function(String name) {
        Cell cell = ALL.get(name);
        if (cell == null) {
            throw new IllegalArgumentException("no cell function " + name);
        }
        return cell;
    }

    private static Map<String, Cell> general() {
        return Map.of(
                "age",
                        (object, now) -> TableColumns.text(
                                HumanDuration.of(Json.string(object, "metadata", "creationTimestamp"), now)),
                "dataCount",
                        number(object -> object.path("data").size()
                                + object.path("binaryData").size()),
                "secretCount", number(object -> object.path("secrets").size()),
                "plainSelector", text(object -> labels(object.path("spec").path("selector"))),
                "selector", text(object -> selector(object.path("spec").path("selector"))));
    }

    static Cell text(Function<JsonNode, String> words) {
        return (object, now) -> TableColumns.text(words.apply(object));
    }

    static Cell number(Function<JsonNode, Integer> count) {
        return (object, now) -> JsonNodeFactory.instance.numberNode(count.apply(object));
    }

    static Cell bool(Function<JsonNode, Boolean> flag) {
        return (object, now) -> JsonNodeFactory.instance.booleanNode(flag.apply(object));
    }

    static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }

    /** A scalar as text; empty if it is missing. */
    static String scalar(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }

    static Stream<JsonNode> each(JsonNode list) {
        return list.valueStream();
    }

    static String joined(JsonNode list) {
        return each(list).map(JsonNode::asString).collect(Collectors.joining(","));
    }

    /** The first few words, and how many more there are. */
    static String few(Collection<String> words) {
        String shown = words.stream().limit(FEW).collect(Collectors.joining(","));
        return words.size() <= FEW ? shown : shown + " + " + (words.size() - FEW) + " more...";
    }

    static String labels(JsonNode labels) {
        String words = labels.propertyStream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString())
                .sorted()
                .collect(Collectors.joining(","));
        return or(words, NONE);
    }

    static String selector(JsonNode selector) {
        LabelSelector parsed = LabelSelector.of(selector);
        return parsed.isEmpty() ? NONE : parsed.toText();
    }

    static boolean isBeingDeleted(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    static String containers(JsonNode podSpec, String field) {
        return each(podSpec.path("containers"))
                .map(container -> Json.string(container, field))
                .collect(Collectors.joining(","));
    }

    static List<String> strings(JsonNode list, String field) {
        return each(list).map(item -> Json.string(item, field)).toList();
    }
}
