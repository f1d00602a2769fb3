package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replica sets: {@code ValidateReplicaSetSpec} in {@code pkg/apis/apps/validation/validation.go}, v1.33. */
final class ReplicaSetStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        PodSpecDefaults.prepareTemplate(draft.next(), "spec", "template");
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
        checks.atLeast(spec, "replicas", "spec", 0);
        checks.atLeast(spec, "minReadySeconds", "spec", 0);
        checks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
        SelectorAndTemplateValidation.ofReplicas(spec, "ReplicaSet", checks);
        ObjectNode before = draft.before();
        if (before != null) {
            checks.immutable(spec.path("selector"), before.path("spec").path("selector"), "spec.selector");
        }
    }
}
