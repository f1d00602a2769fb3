package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The containers of one pod: {@code validateContainers} and {@code validateInitContainers} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Confined to one validation.
 */
final class ContainerValidation {
    private static final List<String> STANDARD = List.of("cpu", "memory", "ephemeral-storage");

    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");

    /** The fields that variables may show. */
    private static final Set<String> OF_VARIABLES = new TreeSet<>(Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs"));

    private static final Set<String> KNOWN = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs",
            "spec.host");
    private static final Pattern SUBSCRIPTED = Pattern.compile("(.+)\\['(.*)'\\]");

    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
    private static final List<String> MESSAGE_POLICIES = List.of("FallbackToLogsOnError", "File");
    private final Set<String> volumes;
    private final FieldChecks checks;
    private final Set<String> names = new HashSet<>();

    /**
     * The containers of a pod.
     *
     * @param volumes the names of the pod's volumes
     */
    ContainerValidation(Set<String> volumes, FieldChecks checks) {
        this.volumes = volumes;
        this.checks = checks;
    }

    /**
     * Reports the errors of a container.
     *
     * @param list the list that it is in: initContainers, containers, ephemeralContainers
     */
    void check(JsonNode container, String list, String where) {
        checks.label(container, "name", where);
        String name = Json.string(container, "name");
        if (!name.isEmpty() && !names.add(name)) {
            checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
        }
        checks.required(container, "image", where);
        checks.oneOf(container, "imagePullPolicy", where, PULL_POLICIES);
        checks.oneOf(container, "terminationMessagePolicy", where, MESSAGE_POLICIES);
        if (list.equals("initContainers")) {
            checks.oneOf(container, "restartPolicy", where, List.of("Always"));
        } else if (list.equals("containers") && container.has("restartPolicy")) {
            checks.add(FieldError.forbidden(where + ".restartPolicy", "may not be set for non-init containers"));
        }
        checkPorts(container.path("ports"), where + ".ports", checks);
        checkVariables(container.path("env"), where + ".env", checks);
        checkMounts(container.path("volumeMounts"), volumes, where + ".volumeMounts", checks);
        checkResources(container.path("resources"), where + ".resources", checks);
        checkProbes(container, list, where, checks);
    }

    /** Ports of containers: {@code validateContainerPorts} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static void checkPorts(JsonNode ports, String path, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode port : ports) {
            String where = path + "[" + index++ + "]";
            if (port.path("containerPort").longValue(0) == 0) {
                checks.add(FieldError.required(where + ".containerPort", ""));
            } else {
                PortValidation.check(port.path("containerPort"), where + ".containerPort", checks);
            }
            if (port.path("hostPort").longValue(0) != 0) {
                PortValidation.check(port.path("hostPort"), where + ".hostPort", checks);
            }
            String name = Json.string(port, "name");
            PortValidation.checkName(name, where + ".name", checks);
            if (!name.isEmpty() && !names.add(name)) {
                checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
            }
            checks.oneOf(port, "protocol", where, List.of("SCTP", "TCP", "UDP"));
        }
    }

    /** Variables of containers: {@code ValidateEnv} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static void checkVariables(JsonNode variables, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode variable : variables) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(variable, "name");
            checks.required(variable, "name", where);
            if (name.contains("=")) {
                checks.problem("a valid environment variable name has no '='", where + ".name", name);
            }
            source(variable, where + ".valueFrom", checks);
        }
    }

    private static void source(JsonNode variable, String path, FieldChecks checks) {
        JsonNode source = variable.path("valueFrom");
        if (!source.isObject()) {
            return;
        }
        if (source.has("fieldRef")) {
            checkDownwardField(source.path("fieldRef"), OF_VARIABLES, path + ".fieldRef", checks);
        }
        if (source.has("resourceFieldRef")) {
            checks.required(source.path("resourceFieldRef"), "resource", path + ".resourceFieldRef");
        }
        for (String keyed : List.of("configMapKeyRef", "secretKeyRef")) {
            if (source.has(keyed)) {
                checks.required(source.path(keyed), "key", path + "." + keyed);
                key(Json.string(source, keyed, "key"), path + "." + keyed + ".key", checks);
            }
        }
        if (source.isEmpty()) {
            checks.problem(
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
                    path,
                    "");
        } else if (!Json.string(variable, "value").isEmpty()) {
            checks.problem("may not be specified when `value` is not empty", path, "");
        } else if (source.size() > 1) {
            checks.problem("may not have more than one field specified at a time", path, "");
        }
    }

    private static void key(String key, String path, FieldChecks checks) {
        if (!key.isEmpty() && !key.matches("[-._a-zA-Z0-9]{1,253}")) {
            checks.problem("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", path, key);
        }
    }

    /**
     * Fields of its pod that a container sees: {@code validateObjectFieldSelector} in
     * {@code pkg/apis/core/validation/validation.go} and {@code ConvertDownwardAPIFieldLabel} in
     * {@code pkg/apis/core/pods/helpers.go}, v1.33.
     */
    private static void checkDownwardField(JsonNode selector, Set<String> supported, String path, FieldChecks checks) {
        String fieldPath = Json.string(selector, "fieldPath");
        String where = path + ".fieldPath";
        if (fieldPath.isEmpty()) {
            checks.add(FieldError.required(where, ""));
            return;
        }
        Matcher subscripted = SUBSCRIPTED.matcher(fieldPath);
        String known = subscripted.matches() ? subscripted.group(1) : fieldPath;
        boolean ofMap = known.equals("metadata.labels") || known.equals("metadata.annotations");
        if (!KNOWN.contains(known) || (subscripted.matches() && !ofMap)) {
            checks.problem("error converting fieldPath: field label not supported: " + fieldPath, where, fieldPath);
        } else if (subscripted.matches()) {
            String key = subscripted.group(2);
            String name = known.equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
            checks.problem(LabelSyntax.key(name), path, name);
        } else if (!supported.contains(known)) {
            checks.add(FieldError.notSupported(where, FieldError.quote(known), supported));
        }
    }

    /**
     * Probes of containers: {@code validateProbe}, {@code validateLivenessProbe}, {@code validateReadinessProbe} and
     * {@code validateStartupProbe} in {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkProbes(JsonNode container, String list, String path, FieldChecks checks) {
        boolean sidecar = Json.string(container, "restartPolicy").equals("Always");
        for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            JsonNode probe = container.path(name);
            String where = path + "." + name;
            if (!probe.isObject()) {
                continue;
            }
            if (list.equals("initContainers") && !sidecar) {
                checks.add(
                        FieldError.forbidden(where, "may not be set for init containers without restartPolicy=Always"));
                continue;
            }
            probe(probe, where, checks);
            JsonNode threshold = probe.path("successThreshold");
            if (!name.equals("readinessProbe") && threshold.longValue(1) != 1) {
                checks.add(FieldError.invalid(where + ".successThreshold", threshold.asString(), "must be 1"));
            }
        }
    }

    private static void probe(JsonNode probe, String path, FieldChecks checks) {
        List<String> handlers = HANDLERS.stream().filter(probe::has).toList();
        if (handlers.isEmpty()) {
            checks.add(FieldError.required(path, "must specify a handler type"));
        }
        for (String second : handlers.subList(Math.min(1, handlers.size()), handlers.size())) {
            checks.add(FieldError.forbidden(path + "." + second, "may not specify more than 1 handler type"));
        }
        for (String count : COUNTS) {
            checks.atLeast(probe, count, path, 0);
        }
        handler(probe, path, checks);
    }

    private static void handler(JsonNode probe, String path, FieldChecks checks) {
        JsonNode http = probe.path("httpGet");
        if (http.isObject()) {
            PortValidation.check(http.path("port"), path + ".httpGet.port", checks);
            checks.oneOf(http, "scheme", path + ".httpGet", List.of("HTTP", "HTTPS"));
        }
        if (probe.has("tcpSocket")) {
            PortValidation.check(probe.path("tcpSocket").path("port"), path + ".tcpSocket.port", checks);
        }
        if (probe.has("exec") && probe.path("exec").path("command").isEmpty()) {
            checks.add(FieldError.required(path + ".exec.command", ""));
        }
    }

    /**
     * Requests and limits of containers: {@code validateResourceRequirements} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkResources(JsonNode resources, String path, FieldChecks checks) {
        for (String list : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonNode> amount : resources.path(list).properties()) {
                amount(amount.getKey(), amount.getValue().asString(), path + "." + list, checks);
            }
        }
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String limit = Json.string(limits, request.getKey());
            String amount = request.getValue().asString();
            if (!limit.isEmpty() && Quantity.value(amount).compareTo(Quantity.value(limit)) > 0) {
                checks.problem(
                        "must be less than or equal to " + request.getKey() + " limit of " + limit,
                        path + ".requests",
                        amount);
            }
        }
    }

    private static void amount(String name, String amount, String path, FieldChecks checks) {
        String where = path + "[" + name + "]";
        boolean known = STANDARD.contains(name) || name.startsWith("hugepages-") || name.contains("/");
        if (!known) {
            checks.problem("must be a standard resource type or fully qualified", where, name);
            checks.problem("must be a standard resource for containers", where, name);
        }
        if (Quantity.value(amount).signum() < 0) {
            checks.problem("must be greater than or equal to 0", where, amount);
        }
    }

    /** Mounts of containers: {@code ValidateVolumeMounts} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static void checkMounts(JsonNode mounts, Set<String> volumes, String path, FieldChecks checks) {
        Set<String> mountPaths = new HashSet<>();
        int index = 0;
        for (JsonNode mount : mounts) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(mount, "name");
            if (name.isEmpty()) {
                checks.add(FieldError.required(where + ".name", ""));
            } else if (!volumes.contains(name)) {
                checks.add(new FieldError(
                        FieldError.Type.NOT_FOUND, "Not found: " + FieldError.quote(name), where + ".name"));
            }
            checks.required(mount, "mountPath", where);
            String mountPath = Json.string(mount, "mountPath");
            if (!mountPaths.add(mountPath)) {
                checks.problem("must be unique", where + ".mountPath", mountPath);
            }
        }
    }
}
