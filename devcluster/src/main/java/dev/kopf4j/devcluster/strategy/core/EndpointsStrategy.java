package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Endpoints: {@code ValidateEndpoints} in {@code pkg/apis/core/validation/validation.go}, v1.33. An update that leaves
 * the subsets as they are is not checked.
 */
final class EndpointsStrategy implements ResourceStrategy {
    private static final int MAX_PORT = 65535;
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode subsets = draft.next().path("subsets");
        ObjectNode before = draft.before();
        if (before != null && JsonEquality.same(before.path("subsets"), subsets)) {
            return;
        }
        for (int index = 0; index < subsets.size(); index++) {
            subset(subsets.get(index), "subsets[" + index + "]", checks);
        }
    }

    private static void subset(JsonNode subset, String path, FieldChecks checks) {
        if (subset.path("addresses").isEmpty()
                && subset.path("notReadyAddresses").isEmpty()) {
            checks.add(FieldError.required(path, "must specify `addresses` or `notReadyAddresses`"));
        }
        for (String list : List.of("addresses", "notReadyAddresses")) {
            int index = 0;
            for (JsonNode address : subset.path(list)) {
                address(address, path + "." + list + "[" + index++ + "]", checks);
            }
        }
        int index = 0;
        for (JsonNode port : subset.path("ports")) {
            port(port, subset.path("ports").size() > 1, path + ".ports[" + index++ + "]", checks);
        }
    }

    private static void address(JsonNode address, String path, FieldChecks checks) {
        String host = Json.string(address, "hostname");
        if (!host.isEmpty()) {
            checks.problem(DnsNames.label(host), path + ".hostname", host);
        }
        if (address.has("nodeName")) {
            String node = Json.string(address, "nodeName");
            checks.problem(DnsNames.subdomain(node), path + ".nodeName", node);
        }
        String text = Json.string(address, "ip");
        InetAddress ip = IpAddresses.parse(text).orElse(null);
        checks.problem(ip == null ? "must be a valid IP address" : reserved(ip, text), path + ".ip", text);
    }

    private static String reserved(InetAddress ip, String text) {
        if (ip.isAnyLocalAddress()) {
            return "may not be unspecified (" + text + ")";
        }
        if (ip.isLoopbackAddress()) {
            return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
        }
        if (ip.isLinkLocalAddress()) {
            return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
        }
        return ip.isMCLinkLocal() ? "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)" : "";
    }

    private static void port(JsonNode port, boolean named, String path, FieldChecks checks) {
        String name = Json.string(port, "name");
        if (!name.isEmpty()) {
            checks.problem(DnsNames.label(name), path + ".name", name);
        } else if (named) {
            checks.add(FieldError.required(path + ".name", ""));
        }
        long number = port.path("port").longValue(0);
        if (number < 1 || number > MAX_PORT) {
            checks.add(FieldError.invalid(
                    path + ".port", String.valueOf(number), "must be between 1 and 65535, inclusive"));
        }
        checks.oneOf(port, "protocol", path, PROTOCOLS);
    }
}
