package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: {@code pkg/registry/batch/job/strategy.go} and {@code pkg/apis/batch/validation/validation.go}, v1.33. */
final class JobStrategy implements ResourceStrategy {
    /** {@code deleteOptionWarnings} in {@code pkg/registry/batch/job/storage/storage.go}. */
    private static final String PODS_STAY = "child pods are preserved by default when jobs are deleted; set"
            + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        PodSpecDefaults.prepareTemplate(spec, "template");
        JobDefaults.prepare(spec);
        if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
            JobSelector.generate(draft.next());
        }
        JobDefaults.labels(draft.next());
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
        warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
        return warnings;
    }

    @Override
    public List<String> deletionWarnings() {
        return List.of(PODS_STAY);
    }

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (before != null && draft.isStatus()) {
            new JobStatusValidation(before, draft.next()).check(checks);
            return;
        }
        JsonNode spec = draft.next().path("spec");
        JobSpecValidation.selector(spec, checks);
        JobSpecValidation.check(spec, "spec", checks);
        if (before != null) {
            JobUpdateValidation.check(before, draft.next().path("spec"), checks);
        }
    }
}
