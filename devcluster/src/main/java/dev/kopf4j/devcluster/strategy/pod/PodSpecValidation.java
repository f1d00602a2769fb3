package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
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
        checks.oneOf(spec, "restartPolicy", path, POLICIES);
        checks.oneOf(spec, "dnsPolicy", path, DNS_POLICIES);
        checks.atLeast(spec, "activeDeadlineSeconds", path, 1);
        LabelSelectorValidation.labels(spec.path("nodeSelector"), path + ".nodeSelector", checks);
        TolerationValidation.check(spec.path("tolerations"), path + ".tolerations", checks);
    }
}
