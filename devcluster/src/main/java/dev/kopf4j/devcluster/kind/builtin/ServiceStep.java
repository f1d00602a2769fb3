package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Services: defaults, the cluster address, node ports. */
final class ServiceStep implements KindRules {
    private static final int FIRST_NODE_PORT = 30000;
    private static final int LAST_NODE_PORT = 32767;
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private final AtomicInteger addresses = new AtomicInteger(10);
    private final AtomicInteger nodePorts = new AtomicInteger(30100);

    @Override
    public void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        preset(spec, "sessionAffinity", "None");
        preset(spec, "type", "ClusterIP");
        if (Json.string(spec, "sessionAffinity").equals("ClientIP")) {
            ObjectNode client = Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP");
            if (!client.has("timeoutSeconds")) {
                client.put("timeoutSeconds", 10800);
            }
        }
        String type = Json.string(spec, "type");
        boolean exposed = type.equals("NodePort") || type.equals("LoadBalancer");
        ports(spec, exposed);
        if (type.equals("ExternalName")) {
            spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"));
        } else {
            preset(spec, "internalTrafficPolicy", "Cluster");
            address(spec);
        }
        if (exposed) {
            preset(spec, "externalTrafficPolicy", "Cluster");
        }
        for (JsonNode point : draft.next().path("status").path("loadBalancer").path("ingress")) {
            if (type.equals("LoadBalancer") && point.has("ip") && !point.has("ipMode")) {
                ((ObjectNode) point).put("ipMode", "VIP");
            }
        }
        if (type.equals("LoadBalancer") && !spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
    }

    private static void preset(ObjectNode object, String field, String value) {
        if (Json.string(object, field).isEmpty()) {
            object.put(field, value);
        }
    }

    private void ports(ObjectNode spec, boolean exposed) {
        for (JsonNode each : spec.path("ports")) {
            ObjectNode port = (ObjectNode) each;
            JsonNode target = port.path("targetPort");
            boolean unset = target.isMissingNode()
                    || (target.isNumber() && target.longValue() == 0)
                    || (target.isString() && target.stringValue().isEmpty());
            if (unset && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
            if (exposed && port.path("nodePort").longValue(0) == 0) {
                port.put("nodePort", nodePorts.getAndIncrement());
            }
        }
    }

    private void address(ObjectNode spec) {
        boolean headless = Json.string(spec, "clusterIP").equals("None")
                || spec.path("clusterIPs").path(0).stringValue("").equals("None");
        if (Json.string(spec, "clusterIP").isEmpty() && spec.path("clusterIPs").isEmpty()) {
            int number = addresses.getAndIncrement();
            spec.put("clusterIP", "10.96." + (number / 250 % 256) + "." + (number % 250 + 1));
        }
        if (Json.string(spec, "clusterIP").isEmpty()) {
            spec.put("clusterIP", spec.path("clusterIPs").path(0).stringValue(""));
        }
        if (spec.path("clusterIPs").isEmpty()) {
            spec.set("clusterIPs", Json.array(List.of(Json.string(spec, "clusterIP"))));
        }
        // A headless service without a selector is for any family, see the API's service documentation.
        boolean anyFamily = headless && spec.path("selector").isEmpty();
        preset(spec, "ipFamilyPolicy", anyFamily ? "RequireDualStack" : "SingleStack");
        if (spec.path("ipFamilies").isEmpty()) {
            spec.set("ipFamilies", Json.array(anyFamily ? List.of("IPv4", "IPv6") : List.of("IPv4")));
        }
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        JsonNode spec = draft.next().path("spec");
        String type = Json.string(spec, "type");
        checks.oneOf(spec, "type", "spec", TYPES);
        checks.oneOf(spec, "sessionAffinity", "spec", List.of("ClientIP", "None"));
        boolean headless = Json.string(spec, "clusterIP").equals("None");
        if (spec.path("ports").isEmpty() && !headless && !type.equals("ExternalName")) {
            checks.add(Cause.required("spec.ports", ""));
        }
        if (type.equals("ExternalName") && Json.string(spec, "externalName").isEmpty()) {
            checks.add(Cause.required("spec.externalName", ""));
        }
        ports(spec.path("ports"), type, checks);
        Selectors.labels(spec.path("selector"), "spec.selector", checks);
        ObjectNode before = draft.before();
        if (before != null) {
            fixedAddress(before.path("spec"), spec, checks);
        }
        return checks.causes();
    }

    private static void ports(JsonNode ports, String type, Checks checks) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        for (int index = 0; index < ports.size(); index++) {
            JsonNode port = ports.get(index);
            String path = "spec.ports[" + index + "]";
            String name = Json.string(port, "name");
            if (name.isEmpty() && ports.size() > 1) {
                checks.add(Cause.required(path + ".name", ""));
            } else if (!name.isEmpty() && !names.add(name)) {
                checks.add(Cause.duplicate(path + ".name", Cause.quote(name)));
            }
            checks.port(port.path("port"), path + ".port");
            checks.port(port.path("targetPort"), path + ".targetPort");
            checks.oneOf(port, "protocol", path, List.of("SCTP", "TCP", "UDP"));
            if (port.path("nodePort").longValue(0) != 0 && type.equals("ClusterIP")) {
                checks.add(Cause.forbidden(path + ".nodePort", "may not be used when `type` is 'ClusterIP'"));
            }
            long node = port.path("nodePort").longValue(0);
            if (node != 0 && (node < FIRST_NODE_PORT || node > LAST_NODE_PORT)) {
                checks.add(Cause.invalid(
                        path + ".nodePort",
                        String.valueOf(node),
                        "provided port is not in the valid range. The range of valid ports is " + FIRST_NODE_PORT + "-"
                                + LAST_NODE_PORT));
            }
            String key = port.path("port").asString() + "/" + Json.string(port, "protocol");
            if (!numbers.add(key)) {
                checks.add(Cause.duplicate(path, Json.text(port)));
            }
        }
    }

    private static void fixedAddress(JsonNode before, JsonNode spec, Checks checks) {
        boolean had = !Json.string(before, "clusterIP").isEmpty();
        boolean external = Json.string(spec, "type").equals("ExternalName");
        if (had && !external && !Equality.same(before.path("clusterIPs"), spec.path("clusterIPs"))) {
            checks.add(
                    Cause.invalid("spec.clusterIPs[0]", Json.text(spec.path("clusterIPs")), "may not change once set"));
        }
    }
}
