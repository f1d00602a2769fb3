package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Services: defaults, the cluster address, node ports. */
public final class ServiceStrategy implements ResourceStrategy {
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final int FIRST_NODE_PORT = 30000;
    private static final int LAST_NODE_PORT = 32767;
    private final AtomicInteger addresses = new AtomicInteger(10);
    private final AtomicInteger nodePorts = new AtomicInteger(30100);

    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode spec = Json.child(objectDraft.next(), "spec");
        preset(spec, "sessionAffinity", "None");
        preset(spec, "type", "ClusterIP");
        if (Json.string(spec, "sessionAffinity").equals("ClientIP")) {
            ObjectNode client = Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP");
            if (!client.has("timeoutSeconds")) {
                client.put("timeoutSeconds", 10800);
            }
        }
        if (Json.string(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
        ObjectNode before = objectDraft.before();
        if (before != null) {
            ServiceTypeTransition.carryOver(before.path("spec"), spec);
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
        for (JsonNode point :
                objectDraft.next().path("status").path("loadBalancer").path("ingress")) {
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
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        JsonNode spec = objectDraft.next().path("spec");
        String type = Json.string(spec, "type");
        fieldChecks.oneOf(spec, "type", "spec", TYPES);
        fieldChecks.oneOf(spec, "sessionAffinity", "spec", List.of("ClientIP", "None"));
        boolean headless = Json.string(spec, "clusterIP").equals("None");
        if (spec.path("ports").isEmpty() && !headless && !type.equals("ExternalName")) {
            fieldChecks.add(FieldError.required("spec.ports", ""));
        }
        if (type.equals("ExternalName") && Json.string(spec, "externalName").isEmpty()) {
            fieldChecks.add(FieldError.required("spec.externalName", ""));
        }
        if (headless && (type.equals("NodePort") || type.equals("LoadBalancer"))) {
            fieldChecks.add(FieldError.invalidString(
                    "spec.clusterIPs[0]", "None", "may not be set to 'None' for " + type + " services"));
        }
        ports(spec.path("ports"), type, fieldChecks);
        LabelSelectorValidation.labels(spec.path("selector"), "spec.selector", fieldChecks);
        ObjectNode before = objectDraft.before();
        if (before != null) {
            fixedAddress(before.path("spec"), spec, fieldChecks);
        }
        return fieldChecks.causes();
    }

    private static void ports(JsonNode ports, String type, FieldChecks fieldChecks) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        for (int index = 0; index < ports.size(); index++) {
            JsonNode port = ports.get(index);
            String path = "spec.ports[" + index + "]";
            String name = Json.string(port, "name");
            if (!name.isEmpty() || ports.size() > 1) {
                fieldChecks.label(port, "name", path);
            }
            if (!name.isEmpty() && !names.add(name)) {
                fieldChecks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
            }
            fieldChecks.port(port.path("port"), path + ".port");
            fieldChecks.port(port.path("targetPort"), path + ".targetPort");
            fieldChecks.oneOf(port, "protocol", path, List.of("SCTP", "TCP", "UDP"));
            nodePort(port.path("nodePort").longValue(0), type, path + ".nodePort", fieldChecks);
            String key = port.path("port").asString() + "/" + Json.string(port, "protocol");
            if (!numbers.add(key)) {
                fieldChecks.add(FieldError.duplicate(path, Json.text(port)));
            }
        }
    }

    private static void nodePort(long number, String type, String path, FieldChecks fieldChecks) {
        if (number != 0 && type.equals("ClusterIP")) {
            fieldChecks.add(FieldError.forbidden(path, "may not be used when `type` is 'ClusterIP'"));
        } else if (number != 0 && (number < FIRST_NODE_PORT || number > LAST_NODE_PORT)) {
            fieldChecks.add(FieldError.invalid(
                    path,
                    String.valueOf(number),
                    "provided port is not in the valid range. The range of valid ports is " + FIRST_NODE_PORT + "-"
                            + LAST_NODE_PORT));
        }
    }

    private static void fixedAddress(JsonNode before, JsonNode spec, FieldChecks fieldChecks) {
        boolean had = !Json.string(before, "clusterIP").isEmpty();
        boolean external = Json.string(spec, "type").equals("ExternalName");
        if (had && !external && !JsonEquality.same(before.path("clusterIPs"), spec.path("clusterIPs"))) {
            fieldChecks.add(FieldError.invalid(
                    "spec.clusterIPs[0]", Json.text(spec.path("clusterIPs")), "may not change once set"));
        }
    }
}
