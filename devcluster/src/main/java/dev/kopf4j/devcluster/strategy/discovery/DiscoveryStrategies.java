package dev.kopf4j.devcluster.strategy.discovery;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group discovery.k8s.io. */
public final class DiscoveryStrategies {
    private DiscoveryStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("endpointslices.discovery.k8s.io", new EndpointSliceStrategy());
    }

    /** Endpoint slices: {@code ValidateEndpointSlice} in {@code pkg/apis/discovery/validation/validation.go}, v1.33. */
    private static final class EndpointSliceStrategy implements ResourceStrategy {
        private static final int MOST_ADDRESSES = 100;
        private static final int MOST_ENDPOINTS = 1000;
        private static final int MOST_PORTS = 20000;

        private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");

        /**
         * Metadata counts, too: {@code PrepareForUpdate} in {@code pkg/registry/discovery/endpointslice/strategy.go}.
         */
        @Override
        public JsonNode generationPart(Resource resource, ObjectNode slice) {
            ObjectNode part = slice.deepCopy();
            part.retain("endpoints", "ports", "addressType", "metadata");
            ((ObjectNode) part.get("metadata")).retain("labels", "annotations", "finalizers", "ownerReferences");
            return part;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode slice = draft.next();
            String type = Json.string(slice, "addressType");
            if (type.isEmpty()) {
                checks.add(FieldError.required("addressType", ""));
            } else if (!ADDRESS_TYPES.contains(type)) {
                checks.add(FieldError.notSupported("addressType", FieldError.quote(type), ADDRESS_TYPES));
            }
            ports(slice.path("ports"), checks);
            ObjectNode before = draft.before();
            if (before == null || !before.path("endpoints").equals(slice.path("endpoints"))) {
                endpoints(slice.path("endpoints"), type, checks);
            }
            if (before != null) {
                checks.immutable(slice.path("addressType"), before.path("addressType"), "addressType");
            }
        }

        /**
         * Endpoints and ports of a slice: {@code validateEndpoints} and {@code validatePorts} in
         * {@code pkg/apis/discovery/validation/validation.go}, v1.33.
         */
        private static void ports(JsonNode ports, FieldChecks checks) {
            if (ports.size() > MOST_PORTS) {
                checks.add(FieldError.tooMany("ports", ports.size(), MOST_PORTS));
                return;
            }
            Set<String> names = new HashSet<>();
            int index = 0;
            for (JsonNode port : ports) {
                String path = "ports[" + index++ + "]";
                String name = Json.string(port, "name");
                if (!name.isEmpty()) {
                    checks.problem(DnsNames.label(name), path + ".name", name);
                }
                if (!names.add(name)) {
                    checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
                }
                checks.oneOf(port, "protocol", path, List.of("SCTP", "TCP", "UDP"));
                String application = Json.string(port, "appProtocol");
                if (!application.isEmpty()) {
                    checks.problem(LabelSyntax.key(application), path + ".appProtocol", application);
                }
            }
        }

        private static void endpoints(JsonNode endpoints, String type, FieldChecks checks) {
            if (endpoints.size() > MOST_ENDPOINTS) {
                checks.add(FieldError.tooMany("endpoints", endpoints.size(), MOST_ENDPOINTS));
                return;
            }
            int index = 0;
            for (JsonNode endpoint : endpoints) {
                String path = "endpoints[" + index++ + "]";
                addresses(endpoint.path("addresses"), type, path + ".addresses", checks);
                String node = Json.string(endpoint, "nodeName");
                if (!node.isEmpty()) {
                    checks.problem(DnsNames.subdomain(node), path + ".nodeName", node);
                }
                String host = Json.string(endpoint, "hostname");
                if (!host.isEmpty()) {
                    checks.problem(DnsNames.label(host), path + ".hostname", host);
                }
            }
        }

        private static void addresses(JsonNode addresses, String type, String path, FieldChecks checks) {
            if (addresses.isEmpty()) {
                checks.add(FieldError.required(path, "must contain at least 1 address"));
            } else if (addresses.size() > MOST_ADDRESSES) {
                checks.add(FieldError.tooMany(path, addresses.size(), MOST_ADDRESSES));
            }
            int index = 0;
            for (JsonNode node : addresses) {
                String address = node.asString();
                String where = path + "[" + index++ + "]";
                switch (type) {
                    case "IPv4", "IPv6" -> ip(address, type, where, path, checks);
                    case "FQDN" -> {
                        if (!address.contains(".")
                                || !DnsNames.subdomain(address.replaceFirst("\\.$", ""))
                                        .isEmpty()) {
                            checks.problem(
                                    "should be a domain with at least two segments separated by dots", where, address);
                        }
                    }
                    default -> {}
                }
            }
        }

        private static void ip(String address, String type, String path, String pathOfAll, FieldChecks checks) {
            Optional<InetAddress> parsed = IpAddresses.parse(address);
            if (parsed.isEmpty()) {
                checks.problem("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", path, address);
                return;
            }
            boolean four = parsed.get() instanceof Inet4Address;
            if (four != type.equals("IPv4")) {
                checks.problem("must be an " + type + " address", pathOfAll, address);
            }
            reserved(parsed.get(), address, path, checks);
        }

        /** {@code ValidateEndpointIP} in {@code pkg/apis/core/validation/validation.go}. */
        private static void reserved(InetAddress parsed, String address, String path, FieldChecks checks) {
            if (parsed.isAnyLocalAddress()) {
                checks.problem("may not be unspecified (" + address + ")", path, address);
            }
            if (parsed.isLoopbackAddress()) {
                checks.problem("may not be in the loopback range (127.0.0.0/8, ::1/128)", path, address);
            }
            if (parsed.isLinkLocalAddress()) {
                checks.problem("may not be in the link-local range (169.254.0.0/16, fe80::/10)", path, address);
            }
            if (parsed.isMCLinkLocal()) {
                checks.problem("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)", path, address);
            }
        }
    }
}
