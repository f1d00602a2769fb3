package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Specs of pods and templates: {@code ValidatePodSpec} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
public final class PodSpecValidation {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
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

    /** Reports the errors of a spec. */
    public static void check(JsonNode spec, String path, FieldChecks checks) {
        Set<String> volumes = VolumeValidation.check(spec.path("volumes"), path + ".volumes", checks);
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
        EphemeralContainerValidation.check(spec, path, checks);
        checks.oneOf(spec, "restartPolicy", path, POLICIES);
        checks.oneOf(spec, "dnsPolicy", path, DNS_POLICIES);
        checks.atLeast(spec, "activeDeadlineSeconds", path, 1);
        LabelSelectorValidation.labels(spec.path("nodeSelector"), path + ".nodeSelector", checks);
        TolerationValidation.check(spec.path("tolerations"), path + ".tolerations", checks);
    }
}
