package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.schema.Addresses;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Ingresses, network policies, endpoint slices. */
final class NetworkSteps {
    private static final String INGRESS_CLASS = "kubernetes.io/ingress.class";

    private NetworkSteps() {}

    static KindRules networkPolicy() {
        return new SimpleStep(
                draft -> {
                    ObjectNode spec = Json.child(draft.next(), "spec");
                    if (spec.path("policyTypes").isEmpty()) {
                        ArrayNode types = spec.putArray("policyTypes").add("Ingress");
                        if (!spec.path("egress").isEmpty()) {
                            types.add("Egress");
                        }
                    }
                },
                (draft, checks) -> {
                    JsonNode spec = draft.next().path("spec");
                    Selectors.check(spec.path("podSelector"), "spec.podSelector", checks);
                    traffic(spec, "ingress", "from", checks);
                    traffic(spec, "egress", "to", checks);
                    int index = 0;
                    for (JsonNode type : spec.path("policyTypes")) {
                        List<String> types = List.of("Egress", "Ingress");
                        if (!types.contains(type.asString())) {
                            checks.add(Cause.notSupported(
                                    "spec.policyTypes[" + index + "]", Cause.quote(type.asString()), types));
                        }
                        index++;
                    }
                });
    }

    private static void traffic(JsonNode spec, String list, String peers, Checks checks) {
        int index = 0;
        for (JsonNode rule : spec.path(list)) {
            String path = "spec." + list + "[" + index++ + "]";
            int number = 0;
            for (JsonNode port : rule.path("ports")) {
                String where = path + ".ports[" + number++ + "]";
                checks.oneOf(port, "protocol", where, List.of("SCTP", "TCP", "UDP"));
                checks.port(port.path("port"), where + ".port");
            }
            number = 0;
            for (JsonNode peer : rule.path(peers)) {
                String where = path + "." + peers + "[" + number++ + "]";
                boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
                if (!selects && !peer.has("ipBlock")) {
                    checks.add(Cause.required(where, "must specify a peer"));
                } else if (selects && peer.has("ipBlock")) {
                    checks.add(Cause.forbidden(where, "may not specify both ipBlock and another peer"));
                }
                if (peer.has("ipBlock")) {
                    block(peer.path("ipBlock"), where + ".ipBlock", checks);
                }
                Selectors.check(peer.path("podSelector"), where + ".podSelector", checks);
                Selectors.check(peer.path("namespaceSelector"), where + ".namespaceSelector", checks);
            }
        }
    }

    private static void block(JsonNode block, String path, Checks checks) {
        String whole = Json.string(block, "cidr");
        if (whole.isEmpty()) {
            checks.add(Cause.required(path + ".cidr", ""));
        } else {
            cidr(whole, path + ".cidr", checks);
        }
        int index = 0;
        for (JsonNode part : block.path("except")) {
            cidr(part.asString(""), path + ".except[" + index++ + "]", checks);
        }
    }

    private static void cidr(String text, String path, Checks checks) {
        if (Addresses.parseRange(text).isEmpty()) {
            checks.add(
                    Cause.invalidString(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"));
        }
    }

    static KindRules ingress() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode spec = draft.next().path("spec");
            if (draft.isNew()
                    && draft.next().path("metadata").path("annotations").has(INGRESS_CLASS)) {
                draft.warnings()
                        .add("annotation \"" + INGRESS_CLASS
                                + "\" is deprecated, please use 'spec.ingressClassName' instead");
            }
            if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
                checks.add(Cause.invalid("spec", "{}", "either `defaultBackend` or `rules` must be specified"));
            }
            if (spec.has("defaultBackend")) {
                backend(spec.path("defaultBackend"), "spec.defaultBackend", checks);
            }
            int index = 0;
            for (JsonNode rule : spec.path("rules")) {
                String path = "spec.rules[" + index++ + "]";
                checks.host(Json.string(rule, "host"), path + ".host");
                paths(rule.path("http"), path + ".http", checks);
            }
        });
    }

    private static void paths(JsonNode http, String path, Checks checks) {
        if (http.isObject() && http.path("paths").isEmpty()) {
            checks.add(Cause.required(path + ".paths", ""));
        }
        int index = 0;
        for (JsonNode each : http.path("paths")) {
            String where = path + ".paths[" + index++ + "]";
            String type = Json.string(each, "pathType");
            List<String> types = List.of("Exact", "ImplementationSpecific", "Prefix");
            if (type.isEmpty()) {
                checks.add(Cause.required(where + ".pathType", "pathType must be specified"));
            } else if (!types.contains(type)) {
                checks.add(Cause.notSupported(where + ".pathType", Cause.quote(type), types));
            } else if (!Json.string(each, "path").startsWith("/")
                    && !(type.equals("ImplementationSpecific")
                            && Json.string(each, "path").isEmpty())) {
                checks.add(Cause.invalidString(where + ".path", Json.string(each, "path"), "must be an absolute path"));
            }
            backend(each.path("backend"), where + ".backend", checks);
        }
    }

    private static void backend(JsonNode backend, String path, Checks checks) {
        JsonNode service = backend.path("service");
        boolean resource = backend.path("resource").isObject();
        if (service.isObject() && resource) {
            checks.add(Cause.invalid(path, "\"\"", "cannot set both resource and service backends"));
        } else if (service.isObject()) {
            service(service, path + ".service", checks);
        } else if (!resource) {
            checks.add(Cause.required(path, "a service or a resource is needed"));
        }
    }

    private static void service(JsonNode service, String path, Checks checks) {
        checks.required(service, "name", path);
        JsonNode port = service.path("port");
        boolean named = !Json.string(port, "name").isEmpty();
        boolean numbered = port.path("number").longValue(0) != 0;
        if (!named && !numbered) {
            checks.add(Cause.required(path, "port name or number is required"));
        } else if (named && numbered) {
            checks.add(Cause.invalid(path, "\"\"", "cannot set both port name & port number"));
        } else if (numbered) {
            checks.port(port.path("number"), path + ".port.number");
        }
    }

    static KindRules slice() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode slice = draft.next();
            String type = Json.string(slice, "addressType");
            if (type.isEmpty()) {
                checks.add(Cause.required("addressType", ""));
            }
            List<String> types = List.of("FQDN", "IPv4", "IPv6");
            if (!type.isEmpty() && !types.contains(type)) {
                checks.add(Cause.notSupported("addressType", Cause.quote(type), types));
            }
            ObjectNode before = draft.before();
            if (before != null) {
                checks.fixed(slice.path("addressType"), before.path("addressType"), "addressType");
            }
        });
    }
}
