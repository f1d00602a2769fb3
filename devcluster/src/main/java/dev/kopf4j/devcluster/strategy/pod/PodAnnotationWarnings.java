package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Warnings about annotations that fields have replaced: {@code warningsForPodSpecAndMeta} in
 * {@code pkg/api/pod/warnings.go}, and {@code applyAppArmorVersionSkew} in {@code pkg/registry/core/pod/strategy.go},
 * v1.33. Pure.
 */
final class PodAnnotationWarnings {
    private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
    private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put(
                "scheduler.alpha.kubernetes.io/critical-pod",
                "non-functional in v1.16+; use the \"priorityClassName\" field instead");
        FIELDS.put(
                "security.alpha.kubernetes.io/sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead");
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
            add(APP_ARMOR + name, "deprecated since v1.30; use the \"appArmorProfile\" field instead", warnings);
        }
        return warnings;
    }

    private void add(String key, String message, List<String> warnings) {
        if (annotations.has(key)) {
            warnings.add(where + "[" + key + "]: " + message);
        }
    }
}
