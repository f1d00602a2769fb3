package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
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

    /**
     * Cells of events, by the field names of the core group: {@code printEvent} in
     * {@code pkg/printers/internalversion/printers.go}, v1.33. Pure.
     */
    private static final class EventCells {
        private EventCells() {}

        static Map<String, TableCells.Cell> all() {
            return Map.of(
                    "lastSeen",
                    (event, now) -> TableColumns.text(HumanDuration.of(lastSeen(event), now)),
                    "firstSeen",
                    (event, now) -> TableColumns.text(HumanDuration.of(firstSeen(event), now)),
                    "eventObject",
                    TableCells.text(EventCells::object),
                    "eventSubobject",
                    TableCells.text(event -> Json.string(event, "involvedObject", "fieldPath")),
                    "eventSource",
                    TableCells.text(EventCells::source),
                    "eventMessage",
                    TableCells.text(event -> Json.string(event, "message").strip()),
                    "eventCount",
                    EventCells::count);
        }

        private static String firstSeen(JsonNode event) {
            return or(Json.string(event, "firstTimestamp"), Json.string(event, "eventTime"));
        }

        private static String lastSeen(JsonNode event) {
            String series = Json.string(event, "series", "lastObservedTime");
            return or(series, or(Json.string(event, "lastTimestamp"), firstSeen(event)));
        }

        /** An event of events.k8s.io without a series has no count. */
        private static JsonNode count(JsonNode event, Instant now) {
            JsonNode series = event.path("series");
            int count = series.isObject()
                    ? series.path("count").intValue(0)
                    : Math.max(1, event.path("count").intValue(0));
            return JsonNodeFactory.instance.numberNode(count);
        }

        private static String object(JsonNode event) {
            JsonNode about = event.path("involvedObject");
            String kind = Json.string(about, "kind").toLowerCase(Locale.ROOT);
            String name = Json.string(about, "name");
            return name.isEmpty() ? kind : kind + "/" + name;
        }

        private static String source(JsonNode event) {
            String component = or(Json.string(event, "source", "component"), Json.string(event, "reportingComponent"));
            String host = or(Json.string(event, "source", "host"), Json.string(event, "reportingInstance"));
            return host.isEmpty() ? component : component + ", " + host;
        }
    }

    /** Cells of nodes: {@code printNode} in {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
    private static final class NodeCells {
        private static final String ROLE = "node-role.kubernetes.io/";
        private static final String UNKNOWN = "<unknown>";

        private NodeCells() {}

        static Map<String, TableCells.Cell> all() {
            return Map.of(
                    "nodeStatus", TableCells.text(NodeCells::status),
                    "nodeRoles", TableCells.text(NodeCells::roles),
                    "nodeInternal", TableCells.text(node -> address(node, "InternalIP")),
                    "nodeExternal", TableCells.text(node -> address(node, "ExternalIP")),
                    "nodeImage", info("osImage"),
                    "nodeKernel", info("kernelVersion"),
                    "nodeRuntime", info("containerRuntimeVersion"));
        }

        private static TableCells.Cell info(String field) {
            return TableCells.text(node -> or(Json.string(node, "status", "nodeInfo", field), UNKNOWN));
        }

        private static String address(JsonNode node, String type) {
            return TableCells.each(node.path("status").path("addresses"))
                    .filter(each -> Json.string(each, "type").equals(type))
                    .map(each -> Json.string(each, "address"))
                    .findFirst()
                    .orElse(NONE);
        }

        private static String status(JsonNode node) {
            String ready = StatusConditions.find(node.path("status"), "Ready")
                    .map(condition -> Json.string(condition, "status").equals("True") ? "Ready" : "NotReady")
                    .orElse("Unknown");
            return ready + (node.path("spec").path("unschedulable").booleanValue(false) ? ",SchedulingDisabled" : "");
        }

        private static String roles(JsonNode node) {
            TreeSet<String> roles = new TreeSet<>();
            node.path("metadata").path("labels").properties().forEach(label -> {
                if (label.getKey().startsWith(ROLE)) {
                    roles.add(label.getKey().substring(ROLE.length()));
                } else if (label.getKey().equals("kubernetes.io/role")) {
                    roles.add(label.getValue().asString());
                }
            });
            roles.remove("");
            return or(String.join(",", roles), NONE);
        }
    }
}
