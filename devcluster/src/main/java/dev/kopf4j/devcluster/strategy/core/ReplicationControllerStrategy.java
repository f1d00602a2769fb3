package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replication controllers: selector and labels come from the template if they are missing
 * ({@code SetDefaults_ReplicationController} in {@code pkg/apis/core/v1/defaults.go});
 * {@code ValidateReplicationController} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
final class ReplicationControllerStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        ObjectNode metadata = Json.child(draft.next(), "metadata");
        if (spec.path("template").isObject()) {
            PodSpecDefaults.prepareTemplate(spec, "template");
        }
        JsonNode labels = labels(spec);
        if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
            spec.set("selector", labels.deepCopy());
        }
        if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
            metadata.set("labels", labels.deepCopy());
        }
    }

    private static JsonNode labels(JsonNode spec) {
        return spec.path("template").path("metadata").path("labels");
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
        warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
        return warnings;
    }

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "replicas", "spec", 0);
        checks.atLeast(spec, "minReadySeconds", "spec", 0);
        JsonNode labels = labels(spec);
        if (spec.path("selector").isEmpty()) {
            checks.add(FieldError.required("spec.selector", ""));
        }
        if (!spec.path("template").isObject()) {
            checks.add(FieldError.required("spec.template", ""));
            return;
        }
        if (!spec.path("selector").isEmpty() && !selects(spec.path("selector"), labels)) {
            checks.add(FieldError.invalid(
                    "spec.template.metadata.labels",
                    Json.text(labels.isMissingNode() ? Json.object() : labels),
                    "`selector` does not match template `labels`"));
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecValidation.check(pod, "spec.template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        if (List.of("OnFailure", "Never").contains(restart)) {
            checks.add(FieldError.notSupported(
                    "spec.template.spec.restartPolicy", FieldError.quote(restart), List.of("Always")));
        }
    }

    private static boolean selects(JsonNode labelsWanted, JsonNode labels) {
        ObjectNode selector = Json.object();
        selector.set("matchLabels", labelsWanted.isObject() ? labelsWanted : Json.object());
        return LabelSelector.of(selector).matches(labels);
    }
}
