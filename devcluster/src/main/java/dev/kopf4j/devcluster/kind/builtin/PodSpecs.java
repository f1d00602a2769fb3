package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.type.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pod specs, in pods and in templates: values derived from others, and checks. */
final class PodSpecs {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

    private PodSpecs() {}

    /** Fills in what depends on other values. */
    static void prepare(ObjectNode spec) {
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
        JsonNode limits = container.path("resources").path("limits");
        if (!limits.isEmpty()) {
            ObjectNode resources = (ObjectNode) container.get("resources");
            ObjectNode requests = Json.child(resources, "requests");
            for (Map.Entry<String, JsonNode> limit : limits.properties()) {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
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
    static String quality(JsonNode spec) {
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

    private static boolean counts(JsonNode amounts) {
        return amounts.has("cpu") || amounts.has("memory");
    }

    /** What is wrong. */
    static void check(JsonNode spec, String path, Checks checks) {
        Set<String> volumes = volumes(spec, path, checks);
        if (spec.path("containers").isEmpty()) {
            checks.add(Cause.required(path + ".containers", ""));
        }
        Set<String> names = new HashSet<>();
        for (String list : CONTAINERS) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                container(container, path + "." + list + "[" + index++ + "]", volumes, names, checks);
            }
        }
        checks.oneOf(spec, "restartPolicy", path, List.of("Always", "OnFailure", "Never"));
        checks.oneOf(spec, "dnsPolicy", path, List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"));
        checks.atLeast(spec, "terminationGracePeriodSeconds", path, 0);
        checks.atLeast(spec, "activeDeadlineSeconds", path, 1);
    }

    private static Set<String> volumes(JsonNode spec, String path, Checks checks) {
        Set<String> volumes = new HashSet<>();
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            String where = path + ".volumes[" + index++ + "]";
            checks.label(volume, "name", where);
            if (!volumes.add(Json.string(volume, "name"))) {
                checks.add(Cause.duplicate(where + ".name", Cause.quote(Json.string(volume, "name"))));
            }
        }
        return volumes;
    }

    private static void container(
            JsonNode container, String path, Set<String> volumes, Set<String> names, Checks checks) {
        checks.label(container, "name", path);
        if (!Json.string(container, "name").isEmpty() && !names.add(Json.string(container, "name"))) {
            checks.add(Cause.duplicate(path + ".name", Cause.quote(Json.string(container, "name"))));
        }
        checks.required(container, "image", path);
        checks.oneOf(container, "imagePullPolicy", path, PULL_POLICIES);
        int index = 0;
        for (JsonNode port : container.path("ports")) {
            String where = path + ".ports[" + index++ + "]";
            if (port.path("containerPort").longValue(0) == 0) {
                checks.add(Cause.required(where + ".containerPort", ""));
            } else {
                checks.port(port.path("containerPort"), where + ".containerPort");
            }
            checks.oneOf(port, "protocol", where, List.of("SCTP", "TCP", "UDP"));
        }
        env(container, path, checks);
        mounts(container, path, volumes, checks);
        resources(container.path("resources"), path + ".resources", checks);
    }

    private static void env(JsonNode container, String path, Checks checks) {
        int index = 0;
        for (JsonNode variable : container.path("env")) {
            String where = path + ".env[" + index++ + "]";
            checks.required(variable, "name", where);
            if (!Json.string(variable, "value").isEmpty() && variable.has("valueFrom")) {
                checks.add(Cause.invalidString(
                        where + ".valueFrom", "", "may not be specified when `value` is not empty"));
            }
        }
    }

    private static void mounts(JsonNode container, String path, Set<String> volumes, Checks checks) {
        int index = 0;
        Set<String> paths = new HashSet<>();
        for (JsonNode mount : container.path("volumeMounts")) {
            String where = path + ".volumeMounts[" + index++ + "]";
            String name = Json.string(mount, "name");
            if (name.isEmpty()) {
                checks.add(Cause.required(where + ".name", ""));
            } else if (!volumes.contains(name)) {
                checks.add(new Cause(Cause.Type.NOT_FOUND, "Not found: " + Cause.quote(name), where + ".name"));
            }
            checks.required(mount, "mountPath", where);
            if (!paths.add(Json.string(mount, "mountPath"))) {
                checks.add(
                        Cause.invalidString(where + ".mountPath", Json.string(mount, "mountPath"), "must be unique"));
            }
        }
    }

    private static void resources(JsonNode resources, String path, Checks checks) {
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String limit = Json.string(limits, request.getKey());
            String amount = request.getValue().asString();
            if (!limit.isEmpty() && Quantity.value(amount).compareTo(Quantity.value(limit)) > 0) {
                checks.add(Cause.invalidString(
                        path + ".requests",
                        amount,
                        "must be less than or equal to " + request.getKey() + " limit of " + limit));
            }
        }
    }
}
