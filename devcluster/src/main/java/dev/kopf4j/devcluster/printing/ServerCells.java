package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Cells of component statuses, certificate signing requests, request priorities and API services:
 * {@code pkg/printers/internalversion/printers.go}, and {@code pkg/registry/apiservice/etcd/etcd.go} of
 * kube-aggregator, v1.33. Pure.
 */
final class ServerCells {
    private static final String UNKNOWN = "Unknown";

    private ServerCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.of(
                "componentStatus", TableCells.text(ServerCells::componentStatus),
                "componentMessage", TableCells.text(component -> healthy(component, "message")),
                "componentError", TableCells.text(component -> healthy(component, "error")),
                "requestedDuration", TableCells.text(ServerCells::requestedDuration),
                "requestCondition", TableCells.text(ServerCells::requestCondition),
                "missingLevel", TableCells.text(ServerCells::missingLevel),
                "parentRef", TableCells.text(ServerCells::parent),
                "apiService", TableCells.text(ServerCells::service),
                "apiAvailable", TableCells.text(ServerCells::available));
    }

    private static String healthy(JsonNode component, String field) {
        return StatusConditions.find(component, "Healthy")
                .map(found -> Json.string(found, field))
                .orElse("");
    }

    private static String componentStatus(JsonNode component) {
        return StatusConditions.find(component, "Healthy")
                .map(found -> Json.string(found, "status").equals("True") ? "Healthy" : "Unhealthy")
                .orElse(UNKNOWN);
    }

    private static String requestedDuration(JsonNode request) {
        JsonNode seconds = request.path("spec").path("expirationSeconds");
        return seconds.isNumber() ? HumanDuration.words(Duration.ofSeconds(seconds.longValue())) : NONE;
    }

    private static String requestCondition(JsonNode request) {
        JsonNode status = request.path("status");
        String decided = StatusConditions.find(status, "Denied").isPresent()
                ? "Denied"
                : StatusConditions.find(status, "Approved").isPresent() ? "Approved" : "Pending";
        return decided
                + (StatusConditions.find(status, "Failed").isPresent() ? ",Failed" : "")
                + (Json.string(request, "status", "certificate").isEmpty() ? "" : ",Issued");
    }

    private static String missingLevel(JsonNode schema) {
        return StatusConditions.find(schema.path("status"), "Dangling")
                .map(found -> Json.string(found, "status"))
                .orElse("?");
    }

    private static String parent(JsonNode address) {
        JsonNode parent = address.path("spec").path("parentRef");
        if (!parent.isObject()) {
            return NONE;
        }
        String group = Json.string(parent, "group");
        String namespace = Json.string(parent, "namespace");
        String resource = Json.string(parent, "resource") + (group.isEmpty() ? "" : "." + group);
        return resource.toLowerCase(Locale.ROOT) + "/" + (namespace.isEmpty() ? "" : namespace + "/")
                + Json.string(parent, "name");
    }

    private static String service(JsonNode api) {
        JsonNode service = api.path("spec").path("service");
        return service.isObject() ? Json.string(service, "namespace") + "/" + Json.string(service, "name") : "Local";
    }

    private static String available(JsonNode api) {
        return StatusConditions.find(api.path("status"), "Available")
                .map(found -> {
                    String status = or(Json.string(found, "status"), UNKNOWN);
                    String reason = Json.string(found, "reason");
                    return status.equals("True") || reason.isEmpty() ? status : status + " (" + reason + ")";
                })
                .orElse(UNKNOWN);
    }
}
