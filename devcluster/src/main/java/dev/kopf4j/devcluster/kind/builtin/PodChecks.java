package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What must hold in a pod's spec, in pods and in templates. Confined to one check. */
final class PodChecks {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    private final JsonNode spec;
    private final String path;
    private final Checks checks;
    private final Set<String> volumes = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    PodChecks(JsonNode spec, String path, Checks checks) {
        this.spec = spec;
        this.path = path;
        this.checks = checks;
    }

    void all() {
        volumes();
        if (spec.path("containers").isEmpty()) {
            checks.add(Cause.required(path + ".containers", ""));
        }
        for (String list : CONTAINERS) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                container(container, list, path + "." + list + "[" + index++ + "]");
            }
        }
        checks.oneOf(spec, "restartPolicy", path, POLICIES);
        checks.oneOf(spec, "dnsPolicy", path, DNS_POLICIES);
        checks.atLeast(spec, "activeDeadlineSeconds", path, 1);
        Selectors.labels(spec.path("nodeSelector"), path + ".nodeSelector", checks);
        tolerations();
    }

    private void volumes() {
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            String where = path + ".volumes[" + index++ + "]";
            checks.label(volume, "name", where);
            if (!volumes.add(Json.string(volume, "name"))) {
                checks.add(Cause.duplicate(where + ".name", Cause.quote(Json.string(volume, "name"))));
            }
            source(volume, where);
        }
    }

    private void source(JsonNode volume, String where) {
        List<String> sources = volume.propertyNames().stream()
                .filter(name -> !name.equals("name"))
                .toList();
        for (String second : sources.subList(Math.min(1, sources.size()), sources.size())) {
            checks.add(Cause.forbidden(where + "." + second, "may not specify more than 1 volume type"));
        }
        if (sources.isEmpty()) {
            return;
        }
        String source = sources.getFirst();
        String needed = switch (source) {
            case "secret" -> "secretName";
            case "configMap" -> "name";
            case "persistentVolumeClaim" -> "claimName";
            case "hostPath" -> "path";
            case "csi" -> "driver";
            default -> "";
        };
        if (!needed.isEmpty()) {
            checks.required(volume.path(source), needed, where + "." + source);
        }
    }

    private void container(JsonNode container, String list, String where) {
        checks.label(container, "name", where);
        String name = Json.string(container, "name");
        if (!name.isEmpty() && !names.add(name)) {
            checks.add(Cause.duplicate(where + ".name", Cause.quote(name)));
        }
        checks.required(container, "image", where);
        checks.oneOf(container, "imagePullPolicy", where, List.of("Always", "IfNotPresent", "Never"));
        checks.oneOf(container, "terminationMessagePolicy", where, List.of("FallbackToLogsOnError", "File"));
        if (list.equals("initContainers")) {
            checks.oneOf(container, "restartPolicy", where, List.of("Always"));
        } else if (container.has("restartPolicy")) {
            checks.add(Cause.forbidden(where + ".restartPolicy", "may not be set for non-init containers"));
        }
        ports(container, where);
        env(container, where);
        mounts(container, where);
        ResourceAmounts.check(container.path("resources"), where + ".resources", checks);
        Probes.check(container, list, where, checks);
    }

    private void ports(JsonNode container, String where) {
        int index = 0;
        Set<String> portNames = new HashSet<>();
        for (JsonNode port : container.path("ports")) {
            String place = where + ".ports[" + index++ + "]";
            if (port.path("containerPort").longValue(0) == 0) {
                checks.add(Cause.required(place + ".containerPort", ""));
            } else {
                checks.port(port.path("containerPort"), place + ".containerPort");
            }
            if (port.path("hostPort").longValue(0) != 0) {
                checks.port(port.path("hostPort"), place + ".hostPort");
            }
            String name = Json.string(port, "name");
            checks.portName(name, place + ".name");
            if (!name.isEmpty() && !portNames.add(name)) {
                checks.add(Cause.duplicate(place + ".name", Cause.quote(name)));
            }
            checks.oneOf(port, "protocol", place, List.of("SCTP", "TCP", "UDP"));
        }
    }

    private void env(JsonNode container, String where) {
        int index = 0;
        for (JsonNode variable : container.path("env")) {
            String place = where + ".env[" + index++ + "]";
            checks.required(variable, "name", place);
            if (Json.string(variable, "name").contains("=")) {
                checks.add(Cause.invalidString(
                        place + ".name",
                        Json.string(variable, "name"),
                        "a valid environment variable name has no '='"));
            }
            JsonNode source = variable.path("valueFrom");
            if (source.isObject() && source.isEmpty()) {
                checks.add(Cause.invalidString(place + ".valueFrom", "", "must specify one of the sources"));
            } else if (source.size() > 1) {
                checks.add(Cause.invalidString(
                        place + ".valueFrom", "", "may not have more than one field specified at a time"));
            }
            if (!Json.string(variable, "value").isEmpty() && !source.isEmpty()) {
                checks.add(Cause.invalidString(
                        place + ".valueFrom", "", "may not be specified when `value` is not empty"));
            }
        }
    }

    private void mounts(JsonNode container, String where) {
        int index = 0;
        Set<String> paths = new HashSet<>();
        for (JsonNode mount : container.path("volumeMounts")) {
            String place = where + ".volumeMounts[" + index++ + "]";
            String name = Json.string(mount, "name");
            if (name.isEmpty()) {
                checks.add(Cause.required(place + ".name", ""));
            } else if (!volumes.contains(name)) {
                checks.add(new Cause(Cause.Type.NOT_FOUND, "Not found: " + Cause.quote(name), place + ".name"));
            }
            checks.required(mount, "mountPath", place);
            if (!paths.add(Json.string(mount, "mountPath"))) {
                checks.add(
                        Cause.invalidString(place + ".mountPath", Json.string(mount, "mountPath"), "must be unique"));
            }
        }
    }

    private void tolerations() {
        int index = 0;
        for (JsonNode toleration : spec.path("tolerations")) {
            String where = path + ".tolerations[" + index++ + "]";
            checks.oneOf(toleration, "operator", where, List.of("Equal", "Exists"));
            checks.oneOf(toleration, "effect", where, List.of("NoSchedule", "PreferNoSchedule", "NoExecute"));
            boolean exists = Json.string(toleration, "operator").equals("Exists");
            if (Json.string(toleration, "key").isEmpty() && !exists) {
                checks.add(Cause.invalidString(
                        where + ".operator",
                        Json.string(toleration, "operator"),
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
            }
            if (exists && !Json.string(toleration, "value").isEmpty()) {
                checks.add(Cause.invalidString(
                        where + ".operator", "Exists", "value must be empty when `operator` is 'Exists'"));
            }
        }
    }
}
