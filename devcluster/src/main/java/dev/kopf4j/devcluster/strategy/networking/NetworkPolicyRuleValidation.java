package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.PortValidation;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Rules of network policies: {@code ValidateNetworkPolicyPort}, {@code ValidateNetworkPolicyPeer} and
 * {@code ValidateIPBlock} in {@code pkg/apis/networking/validation/validation.go}, v1.33. Pure.
 */
final class NetworkPolicyRuleValidation {
    private NetworkPolicyRuleValidation() {}

    /**
     * Reports the errors of the rules for one direction.
     *
     * @param peers the field of a rule that has its peers: {@code from} or {@code to}
     */
    static void check(JsonNode rules, String path, String peers, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            String where = path + "[" + index++ + "]";
            int number = 0;
            for (JsonNode port : rule.path("ports")) {
                String place = where + ".ports[" + number++ + "]";
                checks.oneOf(port, "protocol", place, List.of("SCTP", "TCP", "UDP"));
                PortValidation.check(port.path("port"), place + ".port", checks);
                lastPort(port.path("port"), port.path("endPort"), place + ".endPort", checks);
            }
            number = 0;
            for (JsonNode peer : rule.path(peers)) {
                peer(peer, where + "." + peers + "[" + number++ + "]", checks);
            }
        }
    }

    private static void lastPort(JsonNode first, JsonNode last, String path, FieldChecks checks) {
        if (!last.isNumber()) {
            return;
        }
        if (!first.isNumber()) {
            String state = first.isString() ? "non-numeric" : "not specified";
            checks.add(FieldError.invalid(path, last.asString(), "may not be specified when `port` is " + state));
            return;
        }
        if (last.longValue() < first.longValue()) {
            checks.add(FieldError.invalid(path, first.asString(), "must be greater than or equal to `port`"));
        }
        PortValidation.check(last, path, checks);
    }

    private static void peer(JsonNode peer, String where, FieldChecks checks) {
        boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
        boolean block = peer.has("ipBlock");
        if (!selects && !block) {
            checks.add(FieldError.required(where, "must specify a peer"));
        } else if (selects && block) {
            checks.add(FieldError.forbidden(where, "may not specify both ipBlock and another peer"));
        }
        if (block) {
            block(peer.path("ipBlock"), where + ".ipBlock", checks);
        }
        LabelSelectorValidation.check(peer.path("podSelector"), where + ".podSelector", checks);
        LabelSelectorValidation.check(peer.path("namespaceSelector"), where + ".namespaceSelector", checks);
    }

    private static void block(JsonNode block, String path, FieldChecks checks) {
        String cidr = Json.string(block, "cidr");
        if (cidr.isEmpty()) {
            checks.add(FieldError.required(path + ".cidr", ""));
            return;
        }
        IpAddresses.Range range = range(cidr, path + ".cidr", checks).orElse(null);
        if (range == null) {
            return;
        }
        int index = 0;
        for (JsonNode part : block.path("except")) {
            String where = path + ".except[" + index++ + "]";
            boolean outside = range(part.asString(""), where, checks)
                    .filter(except -> !range.contains(except) || except.bits() == range.bits())
                    .isPresent();
            if (outside) {
                checks.problem("must be a strict subset of `cidr`", where, part.asString(""));
            }
        }
    }

    private static Optional<IpAddresses.Range> range(String text, String path, FieldChecks checks) {
        Optional<IpAddresses.Range> range = IpAddresses.parseRange(text);
        if (range.isEmpty()) {
            checks.problem("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, text);
        }
        return range;
    }
}
