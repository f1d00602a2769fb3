package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warnings about pods, and about objects that create pods. See {@code GetWarningsForPod} and
 * {@code GetWarningsForPodTemplate} in {@code pkg/api/pod/warnings.go}, v1.33. Pure.
 */
public final class PodWarnings {
    private static final String IN_POD = "this is used in the Pod's hostname, ";
    private static final String IN_POD_NAMES = "this is used in Pod names and hostnames, ";
    private static final String ADVICE = "which can result in surprising behavior; a DNS label is recommended: ";

    private PodWarnings() {}

    /** Warnings about a new pod. */
    public static List<String> ofPod(ObjectDraft draft) {
        if (!draft.isNew()) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>(name(draft, IN_POD));
        warnings.addAll(new PodSpecWarnings("spec")
                .check(draft.next().path("spec"), draft.next().path("metadata")));
        return warnings;
    }

    /** Warnings about the name of a new object whose pods have names that begin with it. */
    public static List<String> ofName(ObjectDraft draft) {
        return draft.isNew() ? name(draft, IN_POD_NAMES) : List.of();
    }

    /** Warnings about the template of an object that is new or whose spec changes. */
    public static List<String> ofTemplate(ObjectDraft draft, String... path) {
        ObjectNode before = draft.before();
        if (before != null && generation(draft.next()) == generation(before)) {
            return List.of();
        }
        String where = String.join(".", path) + ".spec";
        JsonNode template = Json.at(draft.next(), path);
        return new PodSpecWarnings(where).check(template.path("spec"), template.path("metadata"));
    }

    private static long generation(JsonNode object) {
        return object.path("metadata").path("generation").longValue(0);
    }

    private static List<String> name(ObjectDraft draft, String use) {
        String name = Json.string(draft.next(), "metadata", "name");
        List<String> problems = new ArrayList<>();
        if (name.length() > 63) {
            problems.add("must be no more than 63 characters");
        }
        if (name.contains(".")) {
            problems.add("must not contain dots");
        }
        return problems.isEmpty()
                ? List.of()
                : List.of("metadata.name: " + use + ADVICE + "[" + String.join(" ", problems) + "]");
    }

    /**
     * Warnings about one pod spec: {@code warningsForPodSpecAndMeta} in {@code pkg/api/pod/warnings.go}, v1.33.
     * Confined to one check.
     */
    private static final class PodSpecWarnings {
        /** {@code deprecatedNodeLabels} in {@code pkg/api/node/util.go}. */
        private static final Map<String, String> DEPRECATED_LABELS = Map.of(
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

        private final String path;
        private final List<String> warnings = new ArrayList<>();
        private final ContainerPortWarnings ports = new ContainerPortWarnings(warnings);

        PodSpecWarnings(String path) {
            this.path = path;
        }

        List<String> check(JsonNode spec, JsonNode metadata) {
            spec.path("nodeSelector").propertyNames().stream()
                    .filter(DEPRECATED_LABELS::containsKey)
                    .forEach(key -> warnings.add(path + ".nodeSelector[" + key + "]: " + deprecated(key)));
            warnings.addAll(new PodPlacementWarnings(path, spec).find());
            warnings.addAll(new PodAnnotationWarnings(path, spec, metadata.path("annotations")).ofPod());
            warnings.addAll(PodVolumeWarnings.find(spec.path("volumes"), path + ".volumes"));
            repeated(spec.path("hostAliases"), "ip", path + ".hostAliases");
            repeated(spec.path("imagePullSecrets"), "name", path + ".imagePullSecrets");
            int index = 0;
            for (JsonNode secret : spec.path("imagePullSecrets")) {
                String where = path + ".imagePullSecrets[" + index++ + "]";
                if (Json.string(secret, "name").isEmpty()) {
                    warnings.add(where + ".name: invalid empty name \"\"");
                }
            }
            fractions(spec.path("overhead"), path + ".overhead");
            PodAnnotationWarnings annotations = new PodAnnotationWarnings(path, spec, metadata.path("annotations"));
            for (String list : List.of("initContainers", "containers")) {
                index = 0;
                for (JsonNode container : spec.path(list)) {
                    warnings.addAll(annotations.ofContainer(container));
                    container(container, path + "." + list + "[" + index++ + "]");
                }
            }
            if (spec.path("terminationGracePeriodSeconds").longValue(0) < 0) {
                warnings.add(
                        path + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be"
                                + " treated as 1");
            }
            return warnings;
        }

        private void container(JsonNode container, String where) {
            for (String list : List.of("limits", "requests")) {
                fractions(container.path("resources").path(list), where + ".resources." + list);
            }
            variables(container.path("env"), where + ".env");
            ports.check(container.path("ports"), where + ".ports");
        }

        private void fractions(JsonNode amounts, String where) {
            for (String resource : List.of("memory", "ephemeral-storage")) {
                String amount = Json.string(amounts, resource);
                if (!amount.isEmpty()
                        && Quantity.value(amount).remainder(BigDecimal.ONE).signum() != 0) {
                    warnings.add(where + "[" + resource + "]: fractional byte value \"" + amount
                            + "\" is invalid, must be an integer");
                }
            }
        }

        private void repeated(JsonNode list, String field, String where) {
            Set<String> seen = new HashSet<>();
            int index = 0;
            for (JsonNode element : list) {
                String value = Json.string(element, field);
                if (!seen.add(value)) {
                    warnings.add(where + "[" + index + "]." + field + ": duplicate " + field + " \"" + value + "\"");
                }
                index++;
            }
        }

        /** What to use instead of a label; empty if it is not deprecated. */
        static String deprecated(String label) {
            return DEPRECATED_LABELS.getOrDefault(label, "");
        }

        /** A second variable of a name is intended only if its value refers to the first one. */
        private void variables(JsonNode variables, String where) {
            Set<String> names = new HashSet<>();
            int index = 0;
            for (JsonNode variable : variables) {
                String name = Json.string(variable, "name");
                String reference = "$(" + name + ")";
                String value = Json.string(variable, "value");
                boolean extendsFirst =
                        value.contains(reference) && !value.equals(reference) && !variable.has("valueFrom");
                if (!names.add(name) && !extendsFirst) {
                    warnings.add(where + "[" + index + "]: hides previous definition of \"" + name
                            + "\", which may be dropped when using apply");
                }
                index++;
            }
        }

        /** Warns about container ports that collide: {@code pkg/api/pod/warnings.go}, v1.33. Used for one pod. */
        private static final class ContainerPortWarnings {
            private final List<String> warnings;
            private final List<Port> ports = new ArrayList<>();
            private final Map<String, String> paths = new HashMap<>();

            /** Warnings that are added to a list. */
            ContainerPortWarnings(List<String> warnings) {
                this.warnings = warnings;
            }

            private record Port(JsonNode port, String path) {
                String numberAndProtocol() {
                    return port.path("containerPort").asString("") + "/" + Json.string(port, "protocol");
                }

                long hostPort() {
                    return port.path("hostPort").longValue(0);
                }

                String hostAddress() {
                    return Json.string(port, "hostIP");
                }
            }

            /** Compares the ports of a container with those of the containers before. */
            void check(JsonNode portsOfContainer, String where) {
                int index = 0;
                for (JsonNode port : portsOfContainer) {
                    Port present = new Port(port, where + "[" + index++ + "]");
                    for (Port other : ports) {
                        if (other.numberAndProtocol().equals(present.numberAndProtocol())) {
                            overlap(present, other);
                        }
                    }
                    name(Json.string(port, "name"), present);
                    ports.add(present);
                }
            }

            private void name(String name, Port present) {
                String first = paths.get(name);
                if (first != null) {
                    warnings.add(present.path() + ": duplicate port name \"" + name + "\" with " + first
                            + ", services and probes that select ports by name will use " + first);
                } else if (!name.isEmpty()) {
                    paths.put(name, present.path());
                }
            }

            private void overlap(Port present, Port other) {
                if (present.hostPort() == other.hostPort()
                        && present.hostAddress().equals(other.hostAddress())) {
                    warnings.add(present.path() + ": duplicate port definition with " + other.path());
                } else if (present.hostPort() == 0 || other.hostPort() == 0) {
                    warnings.add(present.path() + ": overlapping port definition with " + other.path());
                }
            }
        }

        /**
         * Warnings about annotations that fields have replaced: {@code warningsForPodSpecAndMeta} in
         * {@code pkg/api/pod/warnings.go}, and {@code applyAppArmorVersionSkew} in
         * {@code pkg/registry/core/pod/strategy.go}, v1.33. Pure.
         */
        private static final class PodAnnotationWarnings {
            private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
            private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
            private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
            private static final Map<String, String> FIELDS = new LinkedHashMap<>();

            static {
                FIELDS.put(
                        "scheduler.alpha.kubernetes.io/critical-pod",
                        "non-functional in v1.16+; use the \"priorityClassName\" field instead");
                FIELDS.put(
                        "security.alpha.kubernetes.io/sysctls",
                        "non-functional in v1.11+; use the \"sysctls\" field instead");
                FIELDS.put(
                        "security.alpha.kubernetes.io/unsafe-sysctls",
                        "non-functional in v1.11+; use the \"sysctls\" field instead");
            }

            private final String where;
            private final JsonNode spec;
            private final JsonNode annotations;

            /**
             * Looks at annotations.
             *
             * @param path of the spec
             */
            PodAnnotationWarnings(String path, JsonNode spec, JsonNode annotations) {
                this.where = path.substring(0, path.length() - "spec".length()) + "metadata.annotations";
                this.spec = spec;
                this.annotations = annotations;
            }

            List<String> ofPod() {
                List<String> warnings = new ArrayList<>();
                FIELDS.forEach((key, message) -> add(key, message, warnings));
                if (!spec.path("securityContext").path("seccompProfile").isObject()) {
                    add(SECCOMP_POD, "non-functional in v1.27+; use the \"seccompProfile\" field instead", warnings);
                }
                return warnings;
            }

            List<String> ofContainer(JsonNode container) {
                List<String> warnings = new ArrayList<>();
                String name = Json.string(container, "name");
                JsonNode security = container.path("securityContext");
                if (!security.path("seccompProfile").isObject()) {
                    add(
                            SECCOMP_CONTAINER + name,
                            "non-functional in v1.27+; use the \"seccompProfile\" field instead",
                            warnings);
                }
                boolean armored = security.path("appArmorProfile").isObject()
                        || spec.path("securityContext").path("appArmorProfile").isObject();
                if (!armored) {
                    add(
                            APP_ARMOR + name,
                            "deprecated since v1.30; use the \"appArmorProfile\" field instead",
                            warnings);
                }
                return warnings;
            }

            private void add(String key, String message, List<String> warnings) {
                if (annotations.has(key)) {
                    warnings.add(where + "[" + key + "]: " + message);
                }
            }
        }

        /**
         * Warnings about where pods go: node affinity by old labels, and terms that select no pod. See
         * {@code warningsForPodSpecAndMeta} in {@code pkg/api/pod/warnings.go} and
         * {@code GetWarningsForNodeSelectorTerm} in {@code pkg/api/node/util.go}, v1.33. Confined to one check.
         */
        private static final class PodPlacementWarnings {
            private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
            private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
            private static final String SELECTS_NOTHING = ": a null labelSelector results in matching no pod";

            private final String path;
            private final JsonNode spec;
            private final List<String> warnings = new ArrayList<>();

            PodPlacementWarnings(String path, JsonNode spec) {
                this.path = path;
                this.spec = spec;
            }

            List<String> find() {
                JsonNode affinity = spec.path("affinity");
                nodeTerms(affinity.path("nodeAffinity"));
                int index = 0;
                for (JsonNode spread : spec.path("topologySpreadConstraints")) {
                    String where = path + ".topologySpreadConstraints[" + index++ + "]";
                    String key = Json.string(spread, "topologyKey");
                    if (!PodSpecWarnings.deprecated(key).isEmpty()) {
                        warnings.add(where + ".topologyKey: " + key + " is " + PodSpecWarnings.deprecated(key));
                    }
                    selector(spread, where);
                }
                for (String kind : List.of("podAffinity", "podAntiAffinity")) {
                    podTerms(affinity.path(kind), path + ".affinity." + kind);
                }
                return warnings;
            }

            private void nodeTerms(JsonNode affinity) {
                String where = path + ".affinity.nodeAffinity.";
                int index = 0;
                for (JsonNode term : affinity.path(REQUIRED).path("nodeSelectorTerms")) {
                    expressions(term, where + REQUIRED + ".nodeSelectorTerms[" + index++ + "]");
                }
                index = 0;
                for (JsonNode term : affinity.path(PREFERRED)) {
                    expressions(term.path("preference"), where + PREFERRED + "[" + index++ + "].preference");
                }
            }

            private void expressions(JsonNode term, String where) {
                int index = 0;
                for (JsonNode expression : term.path("matchExpressions")) {
                    String key = Json.string(expression, "key");
                    if (!PodSpecWarnings.deprecated(key).isEmpty()) {
                        warnings.add(where + ".matchExpressions[" + index + "].key: " + key + " is "
                                + PodSpecWarnings.deprecated(key));
                    }
                    index++;
                }
            }

            private void podTerms(JsonNode affinity, String where) {
                int index = 0;
                for (JsonNode term : affinity.path(REQUIRED)) {
                    selector(term, where + "." + REQUIRED + "[" + index++ + "]");
                }
                index = 0;
                for (JsonNode term : affinity.path(PREFERRED)) {
                    selector(
                            term.path("podAffinityTerm"),
                            where + "." + PREFERRED + "[" + index++ + "].podAffinityTerm");
                }
            }

            private void selector(JsonNode term, String where) {
                if (!term.path("labelSelector").isObject()) {
                    warnings.add(where + ".labelSelector" + SELECTS_NOTHING);
                }
            }
        }

        /**
         * Warnings about volumes of plugins that are old or gone: {@code warningsForPodSpecAndMeta} in
         * {@code pkg/api/pod/warnings.go}, v1.33. Pure.
         */
        private static final class PodVolumeWarnings {
            private static final Map<String, String> PLUGINS = new LinkedHashMap<>();

            static {
                PLUGINS.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
                PLUGINS.put("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
                PLUGINS.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
                PLUGINS.put("flocker", "deprecated in v1.22, non-functional in v1.25+");
                PLUGINS.put("storageOS", "deprecated in v1.22, non-functional in v1.25+");
                PLUGINS.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
                PLUGINS.put("quobyte", "deprecated in v1.22, non-functional in v1.25+");
                PLUGINS.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
                PLUGINS.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
                PLUGINS.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
            }

            private PodVolumeWarnings() {}

            static List<String> find(JsonNode volumes, String path) {
                List<String> warnings = new ArrayList<>();
                int index = 0;
                for (JsonNode volume : volumes) {
                    String where = path + "[" + index++ + "].";
                    PLUGINS.forEach((plugin, state) -> {
                        if (volume.has(plugin)) {
                            warnings.add(where + (plugin.equals("storageos") ? "storageOS" : plugin) + ": " + state);
                        }
                    });
                }
                return warnings;
            }
        }
    }
}
