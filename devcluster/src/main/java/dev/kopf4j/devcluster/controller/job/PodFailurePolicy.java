package dev.kopf4j.devcluster.controller.job;

import dev.kopf4j.devcluster.json.Json;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What a failed pod means for its job by {@code spec.podFailurePolicy}, see
 * {@code pkg/controller/job/pod_failure_policy.go}, v1.33. Pure.
 *
 * @param action the action of the first rule that matches; Count if there is none
 * @param message why the job fails; empty unless the action is FailJob
 */
record PodFailurePolicy(String action, String message) {
    private static final PodFailurePolicy COUNT = new PodFailurePolicy("Count", "");

    static PodFailurePolicy of(JsonNode jobSpec, JsonNode pod) {
        JsonNode rules = jobSpec.path("podFailurePolicy").path("rules");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.get(i);
            Optional<String> match = rule.has("onExitCodes")
                    ? exited(rule.path("onExitCodes"), pod)
                    : condition(rule.path("onPodConditions"), pod);
            if (match.isPresent()) {
                String action = Json.string(rule, "action");
                return new PodFailurePolicy(
                        action,
                        action.equals("FailJob")
                                ? "%s matching %s rule at index %s".formatted(match.get(), action, i)
                                : "");
            }
        }
        return COUNT;
    }

    boolean isIgnored() {
        return action.equals("Ignore");
    }

    boolean failsIndex() {
        return action.equals("FailIndex");
    }

    private static String place(JsonNode pod) {
        return Json.string(pod, "metadata", "namespace") + "/" + Json.string(pod, "metadata", "name");
    }

    private static Optional<String> exited(JsonNode requirement, JsonNode pod) {
        String container = Json.string(requirement, "containerName");
        return Stream.of("containerStatuses", "initContainerStatuses")
                .flatMap(field -> Json.items(pod, "status", field))
                .filter(status -> container.isEmpty() || container.equals(Json.string(status, "name")))
                .filter(status -> matches(requirement, status.at("/state/terminated/exitCode")))
                .map(status -> "Container %s for pod %s failed with exit code %s"
                        .formatted(
                                Json.string(status, "name"),
                                place(pod),
                                status.at("/state/terminated/exitCode").longValue()))
                .findFirst();
    }

    private static boolean matches(JsonNode requirement, JsonNode exitCode) {
        if (exitCode.longValue(0) == 0) {
            return false;
        }
        boolean listed =
                Json.items(requirement, "values").anyMatch(value -> value.longValue(0) == exitCode.longValue(0));
        return Json.string(requirement, "operator").equals("In") == listed;
    }

    private static Optional<String> condition(JsonNode patterns, JsonNode pod) {
        return Json.items(pod, "status", "conditions")
                .filter(condition -> patterns.valueStream()
                        .anyMatch(pattern -> Json.string(pattern, "type").equals(Json.string(condition, "type"))
                                && Json.string(pattern, "status").equals(Json.string(condition, "status"))))
                .map(condition -> "Pod %s has condition %s".formatted(place(pod), Json.string(condition, "type")))
                .findFirst();
    }
}
