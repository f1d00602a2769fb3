package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.UNSET;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Cells of roles, quotas, disruption budgets, autoscalers, webhooks and admission policies:
 * {@code pkg/printers/internalversion/printers.go}, v1.33. Pure.
 */
final class PolicyCells {
    private static final int FEW_METRICS = 2;

    private PolicyCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.ofEntries(
                Map.entry("role", TableCells.text(PolicyCells::role)),
                Map.entry("users", TableCells.text(object -> subjects(object, "User"))),
                Map.entry("groups", TableCells.text(object -> subjects(object, "Group"))),
                Map.entry("accounts", TableCells.text(object -> subjects(object, "ServiceAccount"))),
                Map.entry("quotaRequests", TableCells.text(object -> quota(object, false))),
                Map.entry("quotaLimits", TableCells.text(object -> quota(object, true))),
                Map.entry("minAvailable", TableCells.text(object -> or(spec(object, "minAvailable"), "N/A"))),
                Map.entry("maxUnavailable", TableCells.text(object -> or(spec(object, "maxUnavailable"), "N/A"))),
                Map.entry("scaleTarget", TableCells.text(PolicyCells::scaleTarget)),
                Map.entry("scaleMetrics", TableCells.text(PolicyCells::scaleMetrics)),
                Map.entry("minPods", TableCells.text(object -> or(spec(object, "minReplicas"), UNSET))),
                Map.entry(
                        "globalDefault",
                        TableCells.bool(object -> object.path("globalDefault").booleanValue(false))),
                Map.entry(
                        "hookCount",
                        TableCells.number(object -> object.path("webhooks").size())),
                Map.entry(
                        "validationCount",
                        TableCells.number(object ->
                                object.path("spec").path("validations").size())),
                Map.entry("paramKind", TableCells.text(PolicyCells::paramKind)),
                Map.entry("paramRef", TableCells.text(PolicyCells::paramRef)));
    }

    private static String spec(JsonNode object, String field) {
        return TableCells.scalar(object.path("spec").path(field));
    }

    private static String role(JsonNode binding) {
        return Json.string(binding, "roleRef", "kind") + "/" + Json.string(binding, "roleRef", "name");
    }

    private static String subjects(JsonNode binding, String kind) {
        return TableCells.each(binding.path("subjects"))
                .filter(subject -> Json.string(subject, "kind").equals(kind))
                .map(subject -> kind.equals("ServiceAccount")
                        ? Json.string(subject, "namespace") + "/" + Json.string(subject, "name")
                        : Json.string(subject, "name"))
                .collect(Collectors.joining(", "));
    }

    private static String quota(JsonNode quota, boolean limits) {
        TreeMap<String, String> words = new TreeMap<>();
        quota.path("status").path("hard").properties().forEach(hard -> {
            if (hard.getKey().startsWith("limits.") == limits) {
                String used = or(Json.string(quota.path("status").path("used"), hard.getKey()), "0");
                words.put(hard.getKey(), used + "/" + hard.getValue().asString());
            }
        });
        return words.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String scaleTarget(JsonNode autoscaler) {
        JsonNode target = autoscaler.path("spec").path("scaleTargetRef");
        return Json.string(target, "kind") + "/" + Json.string(target, "name");
    }

    private static String scaleMetrics(JsonNode autoscaler) {
        JsonNode metrics = autoscaler.path("spec").path("metrics");
        List<String> words = new ArrayList<>();
        for (int index = 0; index < Math.min(metrics.size(), FEW_METRICS); index++) {
            JsonNode current = autoscaler.path("status").path("currentMetrics").path(index);
            words.add(metric(metrics.get(index), current));
        }
        String more = metrics.size() > FEW_METRICS ? " + " + (metrics.size() - FEW_METRICS) + " more..." : "";
        return or(String.join(", ", words) + more, NONE);
    }

    private static String metric(JsonNode metric, JsonNode status) {
        String type = Json.string(metric, "type");
        String source = switch (type) {
            case "Resource" -> "resource";
            case "ContainerResource" -> "containerResource";
            case "Pods" -> "pods";
            case "Object" -> "object";
            default -> "external";
        };
        JsonNode target = metric.path(source).path("target");
        JsonNode current = status.path(source).path("current");
        String name = type.contains("Resource") ? Json.string(metric, source, "name") + ": " : "";
        for (String field : List.of("averageValue", "value")) {
            if (target.has(field)) {
                boolean average = field.startsWith("average") && (type.equals("Object") || type.equals("External"));
                return name + or(TableCells.scalar(current.path(field)), "<unknown>") + "/"
                        + TableCells.scalar(target.path(field)) + (average ? " (avg)" : "");
            }
        }
        String used = TableCells.scalar(current.path("averageUtilization"));
        String wanted = TableCells.scalar(target.path("averageUtilization"));
        return name + (used.isEmpty() ? "<unknown>" : used + "%") + "/" + (wanted.isEmpty() ? "<auto>" : wanted + "%");
    }

    private static String paramKind(JsonNode policy) {
        JsonNode kind = policy.path("spec").path("paramKind");
        return kind.isObject() ? Json.string(kind, "apiVersion") + "/" + Json.string(kind, "kind") : UNSET;
    }

    private static String paramRef(JsonNode binding) {
        JsonNode param = binding.path("spec").path("paramRef");
        String namespace = Json.string(param, "namespace");
        String name = Json.string(param, "name");
        return name.isEmpty() ? UNSET : (namespace.isEmpty() ? "*" : namespace) + "/" + name;
    }
}
