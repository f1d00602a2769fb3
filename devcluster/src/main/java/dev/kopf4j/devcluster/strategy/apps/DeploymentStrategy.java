package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deployments: {@code SetDefaults_Deployment} in {@code pkg/apis/apps/v1/defaults.go}, {@code ValidateDeploymentSpec}
 * in {@code pkg/apis/apps/validation/validation.go}, v1.33.
 */
final class DeploymentStrategy implements ResourceStrategy {
    private static final JsonNode ROLLING_UPDATE =
            Json.object().put("maxUnavailable", "25%").put("maxSurge", "25%");
    private static final int USUAL_DEADLINE_SECONDS = 600;

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        PodSpecDefaults.prepareTemplate(spec, "template");
        RollingUpdateDefaults.prepare(spec, "strategy", ROLLING_UPDATE);
    }

    /** Annotations count, too: {@code PrepareForUpdate} in {@code pkg/registry/apps/deployment/strategy.go}. */
    @Override
    public JsonNode generationPart(Resource resource, ObjectNode deployment) {
        ObjectNode part = Json.object();
        part.set("spec", deployment.path("spec"));
        JsonNode annotations = deployment.path("metadata").path("annotations");
        if (!annotations.isEmpty()) {
            part.set("annotations", annotations);
        }
        return part;
    }

    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("labels");
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return WorkloadWarnings.ofNameAndTemplate(draft);
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        if (draft.isStatus()) {
            WorkloadStatusValidation.check(draft, checks);
            return;
        }
        JsonNode spec = draft.next().path("spec");
        SelectorAndTemplateValidation.ofReplicas(spec, "Deployment", checks);
        RollingUpdateValidation.ofDeployment(spec.path("strategy"), checks);
        deadline(spec, checks);
        SelectorAndTemplateValidation.immutableSelector(draft, checks);
    }

    private static void deadline(JsonNode spec, FieldChecks checks) {
        checks.atLeast(spec, "progressDeadlineSeconds", "spec", 0);
        long deadline = spec.path("progressDeadlineSeconds").longValue(USUAL_DEADLINE_SECONDS);
        if (deadline <= spec.path("minReadySeconds").longValue(0)) {
            checks.add(FieldError.invalid(
                    "spec.progressDeadlineSeconds", String.valueOf(deadline), "must be greater than minReadySeconds"));
        }
    }
}
