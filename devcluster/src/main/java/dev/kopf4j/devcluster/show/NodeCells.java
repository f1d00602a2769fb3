package dev.kopf4j.devcluster.show;

import static dev.kopf4j.devcluster.show.Cells.NONE;
import static dev.kopf4j.devcluster.show.Cells.or;

import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What tables tell of nodes. Pure. */
final class NodeCells {
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final String UNKNOWN = "<unknown>";

    private NodeCells() {}

    static Map<String, Cells.Cell> all() {
        return Map.of(
                "nodeStatus", Cells.text(NodeCells::status),
                "nodeRoles", Cells.text(NodeCells::roles),
                "nodeInternal", Cells.text(node -> address(node, "InternalIP")),
                "nodeExternal", Cells.text(node -> address(node, "ExternalIP")),
                "nodeImage", info("osImage"),
                "nodeKernel", info("kernelVersion"),
                "nodeRuntime", info("containerRuntimeVersion"));
    }

    private static Cells.Cell info(String field) {
        return Cells.text(node -> or(Json.string(node, "status", "nodeInfo", field), UNKNOWN));
    }

    private static String address(JsonNode node, String type) {
        return Cells.each(node.path("status").path("addresses"))
                .filter(each -> Json.string(each, "type").equals(type))
                .map(each -> Json.string(each, "address"))
                .findFirst()
                .orElse(NONE);
    }

    private static String status(JsonNode node) {
        boolean told = Cells.each(node.path("status").path("conditions"))
                .anyMatch(each -> Json.string(each, "type").equals("Ready"));
        String ready = !told ? "Unknown" : Cells.holds(node, "Ready") ? "Ready" : "NotReady";
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
