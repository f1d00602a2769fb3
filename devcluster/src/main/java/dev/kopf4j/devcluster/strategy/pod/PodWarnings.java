package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is allowed in pods and their templates, but hardly meant; by pkg/api/pod/warnings.go of Kubernetes v1.33. */
public final class PodWarnings {
    private static final Map<String, String> FORMER_LABELS = Map.of(
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/os", "kubernetes.io/os");
    private static final String ADVICE = "which can result in surprising behavior; a DNS label is recommended: ";
    private final List<String> words = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    private final Map<String, String> portNames = new HashMap<>();

    private PodWarnings() {}

    /** About a new pod. */
    public static List<String> ofPod(ObjectDraft objectDraft) {
        PodWarnings warnings = new PodWarnings();
        if (objectDraft.isNew()) {
            warnings.name(objectDraft, "this is used in the Pod's hostname, ");
            warnings.spec(objectDraft.next().path("spec"), "spec");
        }
        return warnings.words;
    }

    /** About an object that makes pods, when it is new or its spec changes; named ones lend their name to the pods. */
    public static List<String> ofTemplate(ObjectDraft objectDraft, boolean named, String... path) {
        PodWarnings warnings = new PodWarnings();
        if (objectDraft.isNew() && named) {
            warnings.name(objectDraft, "this is used in Pod names and hostnames, ");
        }
        ObjectNode before = objectDraft.before();
        if (before == null || generation(objectDraft.next()) != generation(before)) {
            warnings.spec(Json.at(Json.at(objectDraft.next(), path), "spec"), String.join(".", path) + ".spec");
        }
        return warnings.words;
    }

    private static long generation(JsonNode object) {
        return object.path("metadata").path("generation").longValue(0);
    }

    private void name(ObjectDraft objectDraft, String use) {
        String name = Json.string(objectDraft.next(), "metadata", "name");
        List<String> wrong = new ArrayList<>();
        if (name.length() > 63) {
            wrong.add("must be no more than 63 characters");
        }
        if (name.contains(".")) {
            wrong.add("must not contain dots");
        }
        if (!wrong.isEmpty()) {
            words.add("metadata.name: " + use + ADVICE + "[" + String.join(" ", wrong) + "]");
        }
    }

    private void spec(JsonNode spec, String path) {
        spec.path("nodeSelector").propertyNames().stream()
                .filter(FORMER_LABELS::containsKey)
                .forEach(key -> words.add(path + ".nodeSelector[" + key + "]: deprecated since v1.14; use \""
                        + FORMER_LABELS.get(key) + "\" instead"));
        int index = 0;
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.has("gitRepo")) {
                words.add(path + ".volumes[" + index
                        + "].gitRepo: deprecated in v1.11, and disabled by default in v1.33+");
            }
            index++;
        }
        index = 0;
        for (JsonNode secret : spec.path("imagePullSecrets")) {
            if (Json.string(secret, "name").isEmpty()) {
                words.add(path + ".imagePullSecrets[" + index + "].name: invalid empty name \"\"");
            }
            index++;
        }
        for (String list : List.of("initContainers", "containers")) {
            index = 0;
            for (JsonNode container : spec.path(list)) {
                container(container, path + "." + list + "[" + index++ + "]");
            }
        }
        if (spec.path("terminationGracePeriodSeconds").longValue(0) < 0) {
            words.add(path + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be"
                    + " treated as 1");
        }
    }

    private void container(JsonNode container, String where) {
        for (String kind : List.of("requests", "limits")) {
            String memory = Json.string(container, "resources", kind, "memory");
            if (!memory.isEmpty()
                    && Quantity.value(memory).remainder(BigDecimal.ONE).signum() != 0) {
                words.add(where + ".resources." + kind + "[memory]: fractional byte value \"" + memory
                        + "\" is invalid, must be an integer");
            }
        }
        variables(container, where);
        ports(container, where);
    }

    /** A later variable of the same name is meant only if it refers to the earlier one. */
    private void variables(JsonNode container, String where) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode variable : container.path("env")) {
            String name = Json.string(variable, "name");
            String reference = "$(" + name + ")";
            String value = Json.string(variable, "value");
            boolean builds = value.contains(reference) && !value.equals(reference) && !variable.has("valueFrom");
            if (!names.add(name) && !builds) {
                words.add(where + ".env[" + index + "]: hides previous definition of \"" + name
                        + "\", which may be dropped when using apply");
            }
            index++;
        }
    }

    /** All containers of a pod share its ports. */
    private void ports(JsonNode container, String where) {
        int index = 0;
        for (JsonNode port : container.path("ports")) {
            Port present = new Port(port, where + ".ports[" + index++ + "]");
            for (Port other : ports) {
                if (other.number().equals(present.number())) {
                    overlap(present, other);
                }
            }
            String name = Json.string(port, "name");
            String first = portNames.get(name);
            if (first != null) {
                words.add(present.path() + ": duplicate port name \"" + name + "\" with " + first
                        + ", services and probes that select ports by name will use " + first);
            } else if (!name.isEmpty()) {
                portNames.put(name, present.path());
            }
            ports.add(present);
        }
    }

    private record Port(JsonNode port, String path) {
        String number() {
            return port.path("containerPort").asString("") + "/" + Json.string(port, "protocol");
        }

        long onHost() {
            return port.path("hostPort").longValue(0);
        }

        String hostAddress() {
            return Json.string(port, "hostIP");
        }
    }

    private void overlap(Port present, Port other) {
        if (present.onHost() == other.onHost() && present.hostAddress().equals(other.hostAddress())) {
            words.add(present.path() + ": duplicate port definition with " + other.path());
        } else if (present.onHost() == 0 || other.onHost() == 0) {
            words.add(present.path() + ": overlapping port definition with " + other.path());
        }
    }
}
