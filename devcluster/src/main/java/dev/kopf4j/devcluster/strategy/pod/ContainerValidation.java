package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The containers of one pod: {@code validateContainers} and {@code validateInitContainers} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Confined to one validation.
 */
final class ContainerValidation {
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
        ContainerPortValidation.check(container.path("ports"), where + ".ports", checks);
        EnvValidation.check(container.path("env"), where + ".env", checks);
        VolumeMountValidation.check(container.path("volumeMounts"), volumes, where + ".volumeMounts", checks);
        ResourceRequirementsValidation.check(container.path("resources"), where + ".resources", checks);
        ProbeValidation.check(container, list, where, checks);
    }
}
