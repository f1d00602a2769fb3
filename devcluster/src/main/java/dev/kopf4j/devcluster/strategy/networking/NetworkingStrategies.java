package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.FunctionStrategy;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Ingresses, network policies, endpoint slices. */
public final class NetworkingStrategies {
    private static final String INGRESS_CLASS = "kubernetes.io/ingress.class";

    private NetworkingStrategies() {}

    public static ResourceStrategy networkPolicy() {
        return new FunctionStrategy(
                objectDraft -> {
                    ObjectNode spec = Json.child(objectDraft.next(), "spec");
                    if (spec.path("policyTypes").isEmpty()) {
                        ArrayNode types = spec.putArray("policyTypes").add("Ingress");
                        if (!spec.path("egress").isEmpty()) {
                            types.add("Egress");
                        }
                    }
                },
                (objectDraft, fieldChecks) -> {
                    JsonNode spec = objectDraft.next().path("spec");
                    LabelSelectorValidation.check(spec.path("podSelector"), "spec.podSelector", fieldChecks);
                    traffic(spec, "ingress", "from", fieldChecks);
                    traffic(spec, "egress", "to", fieldChecks);
                    int index = 0;
                    for (JsonNode type : spec.path("policyTypes")) {
                        List<String> types = List.of("Egress", "Ingress");
                        if (!types.contains(type.asString())) {
                            fieldChecks.add(FieldError.notSupported(
                                    "spec.policyTypes[" + index + "]", FieldError.quote(type.asString()), types));
                        }
                        index++;
                    }
                });
    }

    private static void traffic(JsonNode spec, String list, String peers, FieldChecks fieldChecks) {
        int index = 0;
        for (JsonNode rule : spec.path(list)) {
            String path = "spec." + list + "[" + index++ + "]";
            int number = 0;
            for (JsonNode port : rule.path("ports")) {
                String where = path + ".ports[" + number++ + "]";
                fieldChecks.oneOf(port, "protocol", where, List.of("SCTP", "TCP", "UDP"));
                fieldChecks.port(port.path("port"), where + ".port");
            }
            number = 0;
            for (JsonNode peer : rule.path(peers)) {
                String where = path + "." + peers + "[" + number++ + "]";
                boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
                if (!selects && !peer.has("ipBlock")) {
                    fieldChecks.add(FieldError.required(where, "must specify a peer"));
                } else if (selects && peer.has("ipBlock")) {
                    fieldChecks.add(FieldError.forbidden(where, "may not specify both ipBlock and another peer"));
                }
                if (peer.has("ipBlock")) {
                    block(peer.path("ipBlock"), where + ".ipBlock", fieldChecks);
                }
                LabelSelectorValidation.check(peer.path("podSelector"), where + ".podSelector", fieldChecks);
                LabelSelectorValidation.check(
                        peer.path("namespaceSelector"), where + ".namespaceSelector", fieldChecks);
            }
        }
    }

    private static void block(JsonNode block, String path, FieldChecks fieldChecks) {
        String whole = Json.string(block, "cidr");
        if (whole.isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".cidr", ""));
        } else {
            cidr(whole, path + ".cidr", fieldChecks);
        }
        int index = 0;
        for (JsonNode part : block.path("except")) {
            cidr(part.asString(""), path + ".except[" + index++ + "]", fieldChecks);
        }
    }

    private static void cidr(String text, String path, FieldChecks fieldChecks) {
        if (IpAddresses.parseRange(text).isEmpty()) {
            fieldChecks.add(FieldError.invalidString(
                    path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"));
        }
    }

    public static ResourceStrategy ingress() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode spec = objectDraft.next().path("spec");
            if (objectDraft.isNew()
                    && objectDraft.next().path("metadata").path("annotations").has(INGRESS_CLASS)) {
                objectDraft
                        .warnings()
                        .add("annotation \"" + INGRESS_CLASS
                                + "\" is deprecated, please use 'spec.ingressClassName' instead");
            }
            if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
                fieldChecks.add(
                        FieldError.invalid("spec", "{}", "either `defaultBackend` or `rules` must be specified"));
            }
            if (spec.has("defaultBackend")) {
                backend(spec.path("defaultBackend"), "spec.defaultBackend", fieldChecks);
            }
            int index = 0;
            for (JsonNode rule : spec.path("rules")) {
                String path = "spec.rules[" + index++ + "]";
                fieldChecks.host(Json.string(rule, "host"), path + ".host");
                paths(rule.path("http"), path + ".http", fieldChecks);
            }
        });
    }

    private static void paths(JsonNode http, String path, FieldChecks fieldChecks) {
        if (http.isObject() && http.path("paths").isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".paths", ""));
        }
        int index = 0;
        for (JsonNode each : http.path("paths")) {
            String where = path + ".paths[" + index++ + "]";
            String type = Json.string(each, "pathType");
            List<String> types = List.of("Exact", "ImplementationSpecific", "Prefix");
            if (type.isEmpty()) {
                fieldChecks.add(FieldError.required(where + ".pathType", "pathType must be specified"));
            } else if (!types.contains(type)) {
                fieldChecks.add(FieldError.notSupported(where + ".pathType", FieldError.quote(type), types));
            } else if (!Json.string(each, "path").startsWith("/")
                    && !(type.equals("ImplementationSpecific")
                            && Json.string(each, "path").isEmpty())) {
                fieldChecks.add(FieldError.invalidString(
                        where + ".path", Json.string(each, "path"), "must be an absolute path"));
            }
            backend(each.path("backend"), where + ".backend", fieldChecks);
        }
    }

    private static void backend(JsonNode backend, String path, FieldChecks fieldChecks) {
        JsonNode service = backend.path("service");
        boolean resource = backend.path("resource").isObject();
        if (service.isObject() && resource) {
            fieldChecks.add(FieldError.invalid(path, "\"\"", "cannot set both resource and service backends"));
        } else if (service.isObject()) {
            service(service, path + ".service", fieldChecks);
        } else if (!resource) {
            fieldChecks.add(FieldError.required(path, "a service or a resource is needed"));
        }
    }

    private static void service(JsonNode service, String path, FieldChecks fieldChecks) {
        fieldChecks.required(service, "name", path);
        JsonNode port = service.path("port");
        boolean named = !Json.string(port, "name").isEmpty();
        boolean numbered = port.path("number").longValue(0) != 0;
        if (!named && !numbered) {
            fieldChecks.add(FieldError.required(path, "port name or number is required"));
        } else if (named && numbered) {
            fieldChecks.add(FieldError.invalid(path, "\"\"", "cannot set both port name & port number"));
        } else if (numbered) {
            fieldChecks.port(port.path("number"), path + ".port.number");
        }
    }

    public static ResourceStrategy slice() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode slice = objectDraft.next();
            String type = Json.string(slice, "addressType");
            if (type.isEmpty()) {
                fieldChecks.add(FieldError.required("addressType", ""));
            }
            List<String> types = List.of("FQDN", "IPv4", "IPv6");
            if (!type.isEmpty() && !types.contains(type)) {
                fieldChecks.add(FieldError.notSupported("addressType", FieldError.quote(type), types));
            }
            ObjectNode before = objectDraft.before();
            if (before != null) {
                fieldChecks.fixed(slice.path("addressType"), before.path("addressType"), "addressType");
            }
        });
    }
}
