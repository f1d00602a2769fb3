package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the rows about pod specs call: rules between containers, volumes and ports. They are in
 * {@code pkg/apis/core/validation/validation.go} of Kubernetes, v1.33. Pure.
 */
final class PodRuleFunctions {

    /** {@code deprecatedNodeLabels} in {@code pkg/api/node/util.go}. */
    private static final Map<String, String> OLD_LABELS = Map.of(
            "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
                    "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
                    "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
                    "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
            "app.kubernetes.io/created-by", "deprecated since v1.9",
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
                    "deprecated since v1.22; use Taints and Tolerations instead",
            "node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead");

    /** The function of that name; null if there is none. */
    static @Nullable BiConsumer<Place, FieldChecks> named(String name) {
        return switch (name) {
            case "volumeSource" -> PodRuleFunctions::volumeSource;
            case "withinLimits" -> PodRuleFunctions::withinLimits;
            case "subscript" -> PodRuleFunctions::subscript;
            case "hostPorts" -> PodRuleFunctions::hostPorts;
            case "oldLabelKey" -> PodRuleFunctions::oldLabelKey;
            case "oldLabel" -> PodRuleFunctions::oldLabel;
            case "repeated" -> PodRuleFunctions::repeated;
            case "fraction" -> PodRuleFunctions::fraction;
            case "oldAnnotations" -> PodRuleFunctions::oldAnnotations;
            case "hiddenVariable" -> PodRuleFunctions::hiddenVariable;
            case "overlappingPorts" -> PodRuleFunctions::overlappingPorts;
            case "nameOfPod" -> (place, checks) -> nameOfPods(place, "the Pod's hostname", checks);
            case "nameOfPods" -> (place, checks) -> nameOfPods(place, "Pod names and hostnames", checks);
            default -> null;
        };
    }

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

    /** {@code validateHostNetwork}, and {@code checkHostPortConflicts} between the containers of a pod. */
    static void hostPorts(Place place, FieldChecks checks) {
        JsonNode spec = place.now();
        String path = place.path();
        JsonNode initial = spec.path("initContainers");
        for (int index = 0; index < initial.size(); index++) { // they run one after the other
            hostPorts(spec, List.of(initial.get(index)), path + ".initContainers", index, checks);
        }
        hostPorts(spec, Json.items(spec, "containers").toList(), path + ".containers", 0, checks);
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

    /** Nothing is requested beyond its limit; the error names all requests. */
    private static void withinLimits(Place resources, FieldChecks checks) {
        JsonNode limits = resources.now().path("limits");
        for (Map.Entry<String, JsonNode> request :
                resources.now().path("requests").properties()) {
            String name = request.getKey();
            String limit = Json.string(limits, name);
            String amount = request.getValue().asString();
            boolean shared = isOvercommitAllowed(name);
            if (limit.isEmpty()) {
                if (!shared) {
                    checks.add(FieldError.required(
                            resources.path() + ".limits", "Limit must be set for non overcommitable resources"));
                }
                continue;
            }
            int compared = Quantity.value(amount).compareTo(Quantity.value(limit));
            if (shared ? compared > 0 : compared != 0) {
                checks.problem(
                        "must be " + (shared ? "less than or equal to " : "equal to ") + name + " limit of " + limit,
                        resources.path() + ".requests",
                        amount);
            }
        }
    }

    /** {@code IsOvercommitAllowed} in {@code pkg/apis/core/helper/helpers.go}. */
    private static boolean isOvercommitAllowed(String resource) {
        return !resource.startsWith("hugepages-") && (!resource.contains("/") || resource.contains("kubernetes.io/"));
    }

    /** The key of {@code metadata.labels['KEY']}, or of annotations, whose case does not matter. */
    private static void subscript(Place selector, FieldChecks checks) {
        String path = Json.string(selector.now(), "fieldPath");
        String key = path.substring(path.indexOf('\'') + 1, path.length() - 2);
        String name = path.startsWith("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
        checks.problem(LabelSyntax.key(name), selector.path(), name);
    }

    private static void oldLabelKey(Place label, FieldChecks checks) {
        if (OLD_LABELS.containsKey(label.name())) {
            checks.warn(label.path() + ": " + OLD_LABELS.get(label.name()));
        }
    }

    private static void oldLabel(Place label, FieldChecks checks) {
        if (OLD_LABELS.containsKey(label.text())) {
            checks.warn(label.path() + ": " + label.text() + " is " + OLD_LABELS.get(label.text()));
        }
    }

    private static void repeated(Place field, FieldChecks checks) {
        if (field.array().hasSeen("repeated", field.text())) {
            checks.warn(field.path() + ": duplicate " + field.name() + " " + FieldError.quote(field.text()));
        }
    }

    private static void fraction(Place amount, FieldChecks checks) {
        if (amount.isPresent()
                && Quantity.value(amount.text()).remainder(BigDecimal.ONE).signum() != 0) {
            checks.warn(amount.path() + ": fractional byte value " + FieldError.quote(amount.text())
                    + " is invalid, must be an integer");
        }
    }

    /** Annotations of a container that fields have replaced; {@code applyAppArmorVersionSkew} for the second. */
    private static void oldAnnotations(Place container, FieldChecks checks) {
        Place spec = RuleCondition.up(container, "^^");
        Place annotations = spec.parent().field("metadata", "metadata").field("annotations", "annotations");
        JsonNode security = container.now().path("securityContext");
        String name = Json.string(container.now(), "name");
        Place seccomp = annotations.entry("container.seccomp.security.alpha.kubernetes.io/" + name);
        if (!security.path("seccompProfile").isObject() && seccomp.isPresent()) {
            checks.warn(seccomp.path() + ": non-functional in v1.27+; use the \"seccompProfile\" field instead");
        }
        boolean armored = security.path("appArmorProfile").isObject()
                || Json.at(spec.now(), "securityContext", "appArmorProfile").isObject();
        Place appArmor = annotations.entry("container.apparmor.security.beta.kubernetes.io/" + name);
        if (!armored && appArmor.isPresent()) {
            checks.warn(appArmor.path() + ": deprecated since v1.30; use the \"appArmorProfile\" field instead");
        }
    }

    /** A second variable of a name is intended only if its value refers to the first one. */
    private static void hiddenVariable(Place variable, FieldChecks checks) {
        String name = Json.string(variable.now(), "name");
        String reference = "$(" + name + ")";
        String value = Json.string(variable.now(), "value");
        boolean extendsFirst = value.contains(reference)
                && !value.equals(reference)
                && !variable.now().has("valueFrom");
        if (variable.array().hasSeen("hides", name) && !extendsFirst) {
            checks.warn(variable.path() + ": hides previous definition of " + FieldError.quote(name)
                    + ", which may be dropped when using apply");
        }
    }

    /** Compares the ports of a container with those before them, in all containers of the pod. */
    private static void overlappingPorts(Place container, FieldChecks checks) {
        List<Place> before = new ArrayList<>();
        Place spec = RuleCondition.up(container, "^^");
        for (String list : List.of("initContainers", "containers")) {
            Place containers = spec.field(list, list);
            for (int index = 0; index < containers.now().size(); index++) {
                Place each = containers.element(index, true);
                boolean here = each.path().equals(container.path());
                Place ports = each.field("ports", "ports");
                for (int number = 0; number < ports.now().size(); number++) {
                    Place port = ports.element(number, true);
                    if (here) {
                        before.forEach(other -> overlap(port, other, checks));
                        portName(port, before, checks);
                    }
                    before.add(port);
                }
                if (here) {
                    return;
                }
            }
        }
    }

    private static void overlap(Place port, Place other, FieldChecks checks) {
        if (!port.now().path("containerPort").equals(other.now().path("containerPort"))
                || !port.now().path("protocol").equals(other.now().path("protocol"))) {
            return;
        }
        long hostPort = port.now().path("hostPort").longValue(0);
        long otherHostPort = other.now().path("hostPort").longValue(0);
        boolean sameAddress = Json.string(port.now(), "hostIP").equals(Json.string(other.now(), "hostIP"));
        if (hostPort == otherHostPort && sameAddress) {
            checks.warn(port.path() + ": duplicate port definition with " + other.path());
        } else if (hostPort == 0 || otherHostPort == 0) {
            checks.warn(port.path() + ": overlapping port definition with " + other.path());
        }
    }

    private static void portName(Place port, List<Place> before, FieldChecks checks) {
        String name = Json.string(port.now(), "name");
        before.stream()
                .filter(other ->
                        !name.isEmpty() && Json.string(other.now(), "name").equals(name))
                .findFirst()
                .ifPresent(first -> checks.warn(port.path() + ": duplicate port name " + FieldError.quote(name)
                        + " with " + first.path() + ", services and probes that select ports by name will use "
                        + first.path()));
    }

    private static void nameOfPods(Place name, String use, FieldChecks checks) {
        List<String> problems = new ArrayList<>();
        if (name.text().length() > 63) {
            problems.add("must be no more than 63 characters");
        }
        if (name.text().contains(".")) {
            problems.add("must not contain dots");
        }
        if (!problems.isEmpty()) {
            checks.warn(name.path() + ": this is used in " + use
                    + ", which can result in surprising behavior; a DNS label is recommended: ["
                    + String.join(" ", problems) + "]");
        }
    }
}
