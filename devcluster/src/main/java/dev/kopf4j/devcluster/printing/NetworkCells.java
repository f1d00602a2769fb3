package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.UNSET;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Cells of services, ingresses and endpoints: {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class NetworkCells {
    private NetworkCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.ofEntries(
                Map.entry("clusterAddress", TableCells.text(NetworkCells::clusterAddress)),
                Map.entry("externalAddress", TableCells.text(NetworkCells::externalAddress)),
                Map.entry("ports", TableCells.text(NetworkCells::ports)),
                Map.entry("endpoints", TableCells.text(NetworkCells::endpoints)),
                Map.entry("slicePorts", TableCells.text(NetworkCells::slicePorts)),
                Map.entry("sliceAddresses", TableCells.text(NetworkCells::sliceAddresses)),
                Map.entry(
                        "ingressClass",
                        TableCells.text(object -> or(Json.string(object, "spec", "ingressClassName"), NONE))),
                Map.entry("hosts", TableCells.text(NetworkCells::hosts)),
                Map.entry(
                        "ingressAddress",
                        TableCells.text(
                                object -> addresses(object.path("status").path("loadBalancer")))),
                Map.entry(
                        "ingressPorts",
                        TableCells.text(
                                object -> object.path("spec").path("tls").isEmpty() ? "80" : "80, 443")),
                Map.entry("classParameters", TableCells.text(NetworkCells::classParameters)),
                Map.entry(
                        "podSelector",
                        TableCells.text(object ->
                                TableCells.selector(object.path("spec").path("podSelector")))),
                Map.entry(
                        "cidrs",
                        TableCells.text(
                                object -> TableCells.joined(object.path("spec").path("cidrs")))));
    }

    private static String clusterAddress(JsonNode service) {
        return or(service.path("spec").path("clusterIPs").path(0).asString(""), NONE);
    }

    private static String externalAddress(JsonNode service) {
        JsonNode spec = service.path("spec");
        String given = TableCells.joined(spec.path("externalIPs"));
        return switch (Json.string(spec, "type")) {
            case "ExternalName" -> Json.string(spec, "externalName");
            case "LoadBalancer" -> {
                String balanced = addresses(service.path("status").path("loadBalancer"));
                String both = balanced.isEmpty() || given.isEmpty() ? balanced + given : balanced + "," + given;
                yield or(both, "<pending>");
            }
            default -> or(given, NONE);
        };
    }

    private static String addresses(JsonNode balancer) {
        return TableCells.each(balancer.path("ingress"))
                .map(each -> or(Json.string(each, "ip"), Json.string(each, "hostname")))
                .filter(each -> !each.isEmpty())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String ports(JsonNode service) {
        return or(
                TableCells.each(service.path("spec").path("ports"))
                        .map(NetworkCells::port)
                        .collect(Collectors.joining(",")),
                NONE);
    }

    private static String port(JsonNode port) {
        int node = port.path("nodePort").intValue(0);
        return port.path("port").asString() + (node > 0 ? ":" + node : "") + "/" + Json.string(port, "protocol");
    }

    private static String endpoints(JsonNode endpoints) {
        List<String> words = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            List<String> addresses = TableCells.strings(subset.path("addresses"), "ip");
            if (subset.path("ports").isEmpty()) {
                words.addAll(addresses);
            }
            for (JsonNode port : subset.path("ports")) {
                addresses.forEach(ip -> words.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":"
                        + port.path("port").asString()));
            }
        }
        return endpoints.path("subsets").isEmpty() ? NONE : TableCells.few(words);
    }

    private static String slicePorts(JsonNode slice) {
        List<String> words = TableCells.each(slice.path("ports"))
                .map(port -> or(TableCells.scalar(port.path("port")), or(Json.string(port, "name"), "*")))
                .toList();
        return or(TableCells.few(words), UNSET);
    }

    private static String sliceAddresses(JsonNode slice) {
        List<String> words = TableCells.each(slice.path("endpoints"))
                .flatMap(endpoint -> TableCells.each(endpoint.path("addresses")).map(JsonNode::asString))
                .toList();
        return or(TableCells.few(words), UNSET);
    }

    private static String hosts(JsonNode ingress) {
        List<String> hosts = TableCells.each(ingress.path("spec").path("rules"))
                .map(rule -> Json.string(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return or(TableCells.few(hosts), "*");
    }

    private static String classParameters(JsonNode ingressClass) {
        JsonNode parameters = ingressClass.path("spec").path("parameters");
        if (!parameters.isObject()) {
            return NONE;
        }
        String group = Json.string(parameters, "apiGroup");
        return Json.string(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + Json.string(parameters, "name");
    }
}
