package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Specs of pods and templates: {@code ValidatePodSpec} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
public final class PodSpecValidation {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private static final String RULE = "cannot be set for an Ephemeral Container";
    private static final List<String> NOT_ALLOWED = List.of(
            "ports",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");

    private static final List<String> CONTAINERS = List.of("containers", "initContainers", "ephemeralContainers");
    private static final List<String> UNSATISFIABLE = List.of("DoNotSchedule", "ScheduleAnyway");
    private static final List<String> POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

    private PodSpecValidation() {}

    /** {@code validateHostNetwork}, and {@code checkHostPortConflicts} between the containers of a pod. */
    private static void hostPorts(JsonNode spec, String path, FieldChecks checks) {
        JsonNode initial = spec.path("initContainers");
        for (int index = 0; index < initial.size(); index++) { // they run one after the other
            hostPorts(spec, List.of(initial.get(index)), path + ".initContainers", index, checks);
        }
        hostPorts(spec, spec.path("containers").valueStream().toList(), path + ".containers", 0, checks);
    }

    private static void hostPorts(
            JsonNode spec, List<JsonNode> containers, String path, int first, FieldChecks checks) {
        boolean host = spec.path("hostNetwork").booleanValue(false);
        Set<String> taken = new HashSet<>();
        int container = first;
        for (JsonNode each : containers) {
            int index = 0;
            for (JsonNode port : each.path("ports")) {
                String where = path + "[" + container + "].ports[" + index++ + "].hostPort";
                long number = port.path("hostPort").longValue(0);
                String shown = port.path("protocol").asString("") + "/"
                        + port.path("hostIP").asString("") + "/" + number;
                if (number != 0 && !taken.add(shown)) {
                    checks.add(FieldError.duplicate(where, FieldError.quote(shown)));
                }
                if (host && number != 0 && number != port.path("containerPort").longValue(0)) {
                    checks.add(FieldError.invalid(
                            where,
                            String.valueOf(port.path("containerPort").longValue(0)),
                            "must match `containerPort` when `hostNetwork` is true"));
                }
            }
            container++;
        }
    }

    /** {@code validateTopologySpreadConstraints}. */
    private static void spread(JsonNode constraint, String path, FieldChecks checks) {
        long skew = constraint.path("maxSkew").longValue(0);
        if (skew <= 0) {
            checks.add(FieldError.invalid(path + ".maxSkew", String.valueOf(skew), "must be greater than zero"));
        }
        if (Json.string(constraint, "topologyKey").isEmpty()) {
            checks.add(FieldError.required(path + ".topologyKey", "can not be empty"));
        }
        String action = Json.string(constraint, "whenUnsatisfiable");
        if (!UNSATISFIABLE.contains(action)) {
            checks.add(FieldError.notSupported(path + ".whenUnsatisfiable", FieldError.quote(action), UNSATISFIABLE));
        }
        LabelSelectorValidation.check(constraint.path("labelSelector"), path + ".labelSelector", checks);
    }

    private static void names(JsonNode spec, String path, FieldChecks checks) {
        for (String field : List.of("serviceAccountName", "nodeName")) {
            String name = Json.string(spec, field);
            if (!name.isEmpty()) {
                checks.problem(DnsNames.subdomain(name), path + "." + field, name);
            }
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = Json.string(spec, field);
            if (!name.isEmpty()) {
                checks.problem(DnsNames.label(name), path + "." + field, name);
            }
        }
        boolean servers = !spec.path("dnsConfig").path("nameservers").isEmpty();
        if (Json.string(spec, "dnsPolicy").equals("None") && !servers) {
            boolean config = spec.path("dnsConfig").isObject();
            checks.add(FieldError.required(
                    path + ".dnsConfig" + (config ? ".nameservers" : ""),
                    config
                            ? "must provide at least one DNS nameserver when `dnsPolicy` is None"
                            : "must provide `dnsConfig` when `dnsPolicy` is None"));
        }
        int index = 0;
        for (JsonNode alias : spec.path("hostAliases")) {
            String where = path + ".hostAliases[" + index++ + "].ip";
            if (IpAddresses.parse(Json.string(alias, "ip")).isEmpty()) {
                checks.problem(
                        "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
                        where,
                        Json.string(alias, "ip"));
            }
        }
        index = 0;
        for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
            spread(constraint, path + ".topologySpreadConstraints[" + index++ + "]", checks);
        }
        index = 0;
        for (JsonNode gate : spec.path("readinessGates")) {
            String type = Json.string(gate, "conditionType");
            checks.problem(LabelSyntax.key(type), path + ".readinessGates[" + index++ + "].conditionType", type);
        }
    }

    /** Reports the errors of a spec. */
    public static void check(JsonNode spec, String path, FieldChecks checks) {
        Set<String> volumes = checkVolumes(spec.path("volumes"), path + ".volumes", checks);
        if (spec.path("containers").isEmpty()) {
            checks.add(FieldError.required(path + ".containers", ""));
        }
        ContainerValidation containers = new ContainerValidation(volumes, checks);
        for (String list : CONTAINERS) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                containers.check(container, list, path + "." + list + "[" + index++ + "]");
            }
        }
        hostPorts(spec, path, checks);
        checkEphemeralContainers(spec, path, checks);
        checks.oneOf(spec, "restartPolicy", path, POLICIES);
        checks.oneOf(spec, "dnsPolicy", path, DNS_POLICIES);
        checks.atLeast(spec, "activeDeadlineSeconds", path, 1);
        LabelSelectorValidation.labels(spec.path("nodeSelector"), path + ".nodeSelector", checks);
        names(spec, path, checks);
        checkTolerations(spec.path("tolerations"), path + ".tolerations", checks);
    }

    /**
     * Containers that are added to a running pod: {@code validateEphemeralContainers} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkEphemeralContainers(JsonNode spec, String path, FieldChecks checks) {
        List<String> others = Stream.of("containers", "initContainers")
                .flatMap(list -> spec.path(list).valueStream())
                .map(container -> Json.string(container, "name"))
                .toList();
        int index = 0;
        for (JsonNode container : spec.path("ephemeralContainers")) {
            String where = path + ".ephemeralContainers[" + index++ + "]";
            String target = Json.string(container, "targetContainerName");
            if (!target.isEmpty() && !others.contains(target)) {
                checks.add(FieldError.notFound(where + ".targetContainerName", FieldError.quote(target)));
            }
            container(container, where, checks);
        }
    }

    private static void container(JsonNode container, String path, FieldChecks checks) {
        for (String field : NOT_ALLOWED) {
            JsonNode value = container.path(field);
            if (value.isString() || !value.isEmpty()) {
                checks.add(FieldError.forbidden(path + "." + field, RULE));
            }
        }
        int index = 0;
        for (JsonNode mount : container.path("volumeMounts")) {
            String where = path + ".volumeMounts[" + index++ + "]";
            for (String field : List.of("subPath", "subPathExpr")) {
                if (!Json.string(mount, field).isEmpty()) {
                    checks.add(FieldError.forbidden(where + "." + field, RULE));
                }
            }
        }
    }

    /** Tolerations: {@code ValidateTolerations} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static void checkTolerations(JsonNode tolerations, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode toleration : tolerations) {
            String where = path + "[" + index++ + "]";
            String key = Json.string(toleration, "key");
            if (!key.isEmpty()) {
                checks.problem(LabelSyntax.key(key), where + ".key", key);
            }
            String given = Json.string(toleration, "effect");
            if (toleration.has("tolerationSeconds") && !given.equals("NoExecute")) {
                String rule = "effect must be 'NoExecute' when `tolerationSeconds` is set";
                checks.add(FieldError.invalidString(where + ".effect", given, rule));
            }
            checks.oneOf(toleration, "operator", where, List.of("Equal", "Exists"));
            checks.oneOf(toleration, "effect", where, EFFECTS);
            String operator = Json.string(toleration, "operator");
            boolean exists = operator.equals("Exists");
            if (operator.isEmpty() || operator.equals("Equal")) {
                String value = Json.string(toleration, "value");
                checks.problem(LabelSyntax.value(value), where + ".operator", value);
            }
            if (Json.string(toleration, "key").isEmpty() && !exists) {
                checks.problem(
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\"",
                        where + ".operator",
                        operator);
            }
            if (exists && !Json.string(toleration, "value").isEmpty()) {
                checks.problem("value must be empty when `operator` is 'Exists'", where + ".operator", "Exists");
            }
        }
    }

    /**
     * Reports errors of a pod's volumes, by {@code ValidateVolumes} in {@code pkg/apis/core/validation/validation.go},
     * v1.33; returns their names.
     */
    private static Set<String> checkVolumes(JsonNode volumes, String path, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode volume : volumes) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(volume, "name");
            checks.label(volume, "name", where);
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
            }
            source(volume, where, checks);
        }
        return names;
    }

    private static void source(JsonNode volume, String where, FieldChecks checks) {
        List<String> sources = volume.propertyNames().stream()
                .filter(name -> !name.equals("name"))
                .toList();
        for (String second : sources.subList(Math.min(1, sources.size()), sources.size())) {
            checks.add(FieldError.forbidden(where + "." + second, "may not specify more than 1 volume type"));
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
}
