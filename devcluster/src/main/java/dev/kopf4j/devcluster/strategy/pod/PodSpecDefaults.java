package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets values of pod specs that depend on other values, in pods and in templates: {@code SetDefaults_Container} and
 * {@code SetDefaults_Volume} in {@code pkg/apis/core/v1/defaults.go}, and the two names of the service account by
 * {@code pkg/apis/core/v1/conversion.go}, v1.33. Pure.
 */
public final class PodSpecDefaults {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");

    private PodSpecDefaults() {}

    /** Sets the values of a template at a path below an object, which is created if it is missing. */
    public static void prepareTemplate(ObjectNode object, String... path) {
        ObjectNode template = object;
        for (String name : path) {
            template = Json.child(template, name);
        }
        prepare(Json.child(template, "spec"));
    }

    /** Sets the values of a spec. */
    public static void prepare(ObjectNode spec) {
        for (String list : CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                pullPolicy((ObjectNode) container);
            }
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.size() == 1 && volume.has("name")) {
                ((ObjectNode) volume).putObject("emptyDir");
            }
        }
        serviceAccount(spec);
    }

    private static void serviceAccount(ObjectNode spec) {
        String name = Json.string(spec, "serviceAccountName");
        String deprecated = Json.string(spec, "serviceAccount");
        if (name.isEmpty() && !deprecated.isEmpty()) {
            spec.put("serviceAccountName", deprecated);
        } else if (!name.isEmpty()) {
            spec.put("serviceAccount", name);
        }
    }

    private static void pullPolicy(ObjectNode container) {
        if (Json.string(container, "imagePullPolicy").isEmpty()) {
            boolean latest = isLatest(Json.string(container, "image"));
            container.put("imagePullPolicy", latest ? "Always" : "IfNotPresent");
        }
    }

    private static boolean isLatest(String image) {
        if (image.contains("@")) {
            return false;
        }
        int colon = image.lastIndexOf(':');
        return colon < image.lastIndexOf('/')
                || colon < 0
                || image.substring(colon + 1).equals("latest");
    }
}
