package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Cells of nodes: {@code printNode} in {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class NodeCells {
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
