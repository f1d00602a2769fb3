package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import java.util.List;
import tools.jackson.databind.JsonNode;

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
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        if (draft.isStatus()) {
            WorkloadStatusValidation.check(draft, checks);
            return;
        }
        JsonNode spec = draft.next().path("spec");
        SelectorAndTemplateValidation.ofReplicas(spec, "ReplicaSet", checks);
        SelectorAndTemplateValidation.immutableSelector(draft, checks);
    }
}
