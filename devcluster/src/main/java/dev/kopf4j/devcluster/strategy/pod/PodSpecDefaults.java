package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pod specs, in pods and in templates: values derived from others, and checks. */
public final class PodSpecDefaults {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");

    private PodSpecDefaults() {}

    /** Fills in what depends on other values. */
    public static void prepare(ObjectNode spec) {
        for (String list : CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                container((ObjectNode) container);
            }
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.size() == 1 && volume.has("name")) {
                ((ObjectNode) volume).putObject("emptyDir");
            }
        }
        String account = Json.string(spec, "serviceAccountName");
        String older = Json.string(spec, "serviceAccount");
        if (account.isEmpty() && !older.isEmpty()) {
            spec.put("serviceAccountName", older);
        } else if (!account.isEmpty()) {
            spec.put("serviceAccount", account);
        }
    }

    private static void container(ObjectNode container) {
        if (Json.string(container, "imagePullPolicy").isEmpty()) {
            container.put("imagePullPolicy", latest(Json.string(container, "image")) ? "Always" : "IfNotPresent");
        }
    }

    /** What pods get and templates do not: requests as the limits are, ports of the host. */
    public static void prepareOfPod(ObjectNode spec) {
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                request((ObjectNode) container);
                if (spec.path("hostNetwork").booleanValue(false)) {
                    hostPorts(container.path("ports"));
                }
            }
        }
    }

    private static void request(ObjectNode container) {
        JsonNode limits = container.path("resources").path("limits");
        if (!limits.isEmpty()) {
            ObjectNode requests = Json.child(Json.child(container, "resources"), "requests");
            for (Map.Entry<String, JsonNode> limit : limits.properties()) {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
            }
        }
    }

    private static void hostPorts(JsonNode ports) {
        for (JsonNode port : ports) {
            if (port.path("hostPort").intValue(0) == 0) {
                ((ObjectNode) port).set("hostPort", port.path("containerPort"));
            }
        }
    }

    private static boolean latest(String image) {
        if (image.contains("@")) {
            return false;
        }
        int colon = image.lastIndexOf(':');
        return colon < image.lastIndexOf('/')
                || colon < 0
                || image.substring(colon + 1).equals("latest");
    }

    /** The quality of service of a pod. */
    public static String qosClass(JsonNode spec) {
        boolean anything = false;
        boolean guaranteed = true;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                JsonNode limits = container.path("resources").path("limits");
                JsonNode requests = container.path("resources").path("requests");
                anything |= counts(limits) || counts(requests);
                for (String name : List.of("cpu", "memory")) {
                    String limit = Json.string(limits, name);
                    guaranteed &= !limit.isEmpty()
                            && (Json.string(requests, name).isEmpty()
                                    || Quantity.value(limit).compareTo(Quantity.value(Json.string(requests, name)))
                                            == 0);
                }
            }
        }
        return !anything ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    /** What is wrong. */
    public static void check(JsonNode spec, String path, FieldChecks fieldChecks) {
        new PodSpecValidation(spec, path, fieldChecks).all();
    }

    private static boolean counts(JsonNode amounts) {
        return amounts.has("cpu") || amounts.has("memory");
    }
}
