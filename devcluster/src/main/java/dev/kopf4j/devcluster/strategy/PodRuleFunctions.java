package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What the rows about pod specs call: rules between containers, volumes and ports. They are in
 * {@code pkg/apis/core/validation/validation.go} of Kubernetes, v1.33. Pure.
 */
final class PodRuleFunctions {
    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");

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

    private PodRuleFunctions() {}

    /** Reports second sources of a volume, and what the first one needs. */
    static void volumeSource(Place place, FieldChecks checks) {
        JsonNode volume = place.now();
        String where = place.path();
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
    /** A mount names a volume of its pod. */
    static void volumeThere(Place name, FieldChecks checks) {
        JsonNode spec = RuleCondition.up(name, "^^^^^").now();
        if (spec.path("volumes")
                .valueStream()
                .noneMatch(volume -> volume.path("name").equals(name.now()))) {
            checks.add(FieldError.notFound(name.path(), name.shown()));
        }
    }

    /** An ephemeral container's target is a container or an initial one. */
    static void otherContainer(Place name, FieldChecks checks) {
        JsonNode spec = RuleCondition.up(name, "^^^").now();
        boolean known = Stream.of("containers", "initContainers")
                .flatMap(list -> spec.path(list).valueStream())
                .anyMatch(container -> Json.string(container, "name").equals(name.text()));
        if (!name.text().isEmpty() && !known) {
            checks.add(FieldError.notFound(name.path(), name.shown()));
        }
    }

    /** {@code validateHostNetwork}, and {@code checkHostPortConflicts} between the containers of a pod. */
    static void hostPorts(Place place, FieldChecks checks) {
        JsonNode spec = place.now();
        String path = place.path();
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

    /** {@code validateResourceRequirements}. */
    static void containerResources(Place place, FieldChecks checks) {
        JsonNode resources = place.now();
        String path = place.path();
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

    /**
     * {@code validateObjectFieldSelector}, and {@code ConvertDownwardAPIFieldLabel} in
     * {@code pkg/apis/core/pods/helpers.go}.
     */
    static void variableField(Place place, FieldChecks checks) {
        JsonNode selector = place.now();
        String path = place.path();
        Set<String> supported = OF_VARIABLES;
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
}
