package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What must hold in a pod's spec, in pods and in templates. Confined to one check. */
final class PodSpecValidation {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    private final JsonNode spec;
    private final String path;
    private final FieldChecks fieldChecks;
    private final Set<String> volumes = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    PodSpecValidation(JsonNode spec, String path, FieldChecks fieldChecks) {
        this.spec = spec;
        this.path = path;
        this.fieldChecks = fieldChecks;
    }

    void all() {
        volumes();
        if (spec.path("containers").isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".containers", ""));
        }
        for (String list : CONTAINERS) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                container(container, list, path + "." + list + "[" + index++ + "]");
            }
        }
        fieldChecks.oneOf(spec, "restartPolicy", path, POLICIES);
        fieldChecks.oneOf(spec, "dnsPolicy", path, DNS_POLICIES);
        fieldChecks.atLeast(spec, "activeDeadlineSeconds", path, 1);
        LabelSelectorValidation.labels(spec.path("nodeSelector"), path + ".nodeSelector", fieldChecks);
        tolerations();
    }

    private void volumes() {
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            String where = path + ".volumes[" + index++ + "]";
            fieldChecks.label(volume, "name", where);
            if (!volumes.add(Json.string(volume, "name"))) {
                fieldChecks.add(FieldError.duplicate(where + ".name", FieldError.quote(Json.string(volume, "name"))));
            }
            source(volume, where);
        }
    }

    private void source(JsonNode volume, String where) {
        List<String> sources = volume.propertyNames().stream()
                .filter(name -> !name.equals("name"))
                .toList();
        for (String second : sources.subList(Math.min(1, sources.size()), sources.size())) {
            fieldChecks.add(FieldError.forbidden(where + "." + second, "may not specify more than 1 volume type"));
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
            fieldChecks.required(volume.path(source), needed, where + "." + source);
        }
    }

    private void container(JsonNode container, String list, String where) {
        fieldChecks.label(container, "name", where);
        String name = Json.string(container, "name");
        if (!name.isEmpty() && !names.add(name)) {
            fieldChecks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
        }
        fieldChecks.required(container, "image", where);
        fieldChecks.oneOf(container, "imagePullPolicy", where, List.of("Always", "IfNotPresent", "Never"));
        fieldChecks.oneOf(container, "terminationMessagePolicy", where, List.of("FallbackToLogsOnError", "File"));
        if (list.equals("initContainers")) {
            fieldChecks.oneOf(container, "restartPolicy", where, List.of("Always"));
        } else if (container.has("restartPolicy")) {
            fieldChecks.add(FieldError.forbidden(where + ".restartPolicy", "may not be set for non-init containers"));
        }
        ports(container, where);
        env(container, where);
        mounts(container, where);
        ResourceRequirementsValidation.check(container.path("resources"), where + ".resources", fieldChecks);
        ProbeValidation.check(container, list, where, fieldChecks);
    }

    private void ports(JsonNode container, String where) {
        int index = 0;
        Set<String> portNames = new HashSet<>();
        for (JsonNode port : container.path("ports")) {
            String place = where + ".ports[" + index++ + "]";
            if (port.path("containerPort").longValue(0) == 0) {
                fieldChecks.add(FieldError.required(place + ".containerPort", ""));
            } else {
                fieldChecks.port(port.path("containerPort"), place + ".containerPort");
            }
            if (port.path("hostPort").longValue(0) != 0) {
                fieldChecks.port(port.path("hostPort"), place + ".hostPort");
            }
            String name = Json.string(port, "name");
            fieldChecks.portName(name, place + ".name");
            if (!name.isEmpty() && !portNames.add(name)) {
                fieldChecks.add(FieldError.duplicate(place + ".name", FieldError.quote(name)));
            }
            fieldChecks.oneOf(port, "protocol", place, List.of("SCTP", "TCP", "UDP"));
        }
    }

    private void env(JsonNode container, String where) {
        int index = 0;
        for (JsonNode variable : container.path("env")) {
            String place = where + ".env[" + index++ + "]";
            fieldChecks.required(variable, "name", place);
            if (Json.string(variable, "name").contains("=")) {
                fieldChecks.add(FieldError.invalidString(
                        place + ".name",
                        Json.string(variable, "name"),
                        "a valid environment variable name has no '='"));
            }
            JsonNode source = variable.path("valueFrom");
            if (source.isObject() && source.isEmpty()) {
                fieldChecks.add(FieldError.invalidString(place + ".valueFrom", "", "must specify one of the sources"));
            } else if (source.size() > 1) {
                fieldChecks.add(FieldError.invalidString(
                        place + ".valueFrom", "", "may not have more than one field specified at a time"));
            }
            if (!Json.string(variable, "value").isEmpty() && !source.isEmpty()) {
                fieldChecks.add(FieldError.invalidString(
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
                fieldChecks.add(FieldError.required(place + ".name", ""));
            } else if (!volumes.contains(name)) {
                fieldChecks.add(new FieldError(
                        FieldError.Type.NOT_FOUND, "Not found: " + FieldError.quote(name), place + ".name"));
            }
            fieldChecks.required(mount, "mountPath", place);
            if (!paths.add(Json.string(mount, "mountPath"))) {
                fieldChecks.add(FieldError.invalidString(
                        place + ".mountPath", Json.string(mount, "mountPath"), "must be unique"));
            }
        }
    }

    private void tolerations() {
        int index = 0;
        for (JsonNode toleration : spec.path("tolerations")) {
            String where = path + ".tolerations[" + index++ + "]";
            fieldChecks.oneOf(toleration, "operator", where, List.of("Equal", "Exists"));
            fieldChecks.oneOf(toleration, "effect", where, List.of("NoSchedule", "PreferNoSchedule", "NoExecute"));
            boolean exists = Json.string(toleration, "operator").equals("Exists");
            if (Json.string(toleration, "key").isEmpty() && !exists) {
                fieldChecks.add(FieldError.invalidString(
                        where + ".operator",
                        Json.string(toleration, "operator"),
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
            }
            if (exists && !Json.string(toleration, "value").isEmpty()) {
                fieldChecks.add(FieldError.invalidString(
                        where + ".operator", "Exists", "value must be empty when `operator` is 'Exists'"));
            }
        }
    }
}
