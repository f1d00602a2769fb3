package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Daemon sets: {@code SetDefaults_DaemonSet} in {@code pkg/apis/apps/v1/defaults.go}, {@code ValidateDaemonSetSpec} in
 * {@code pkg/apis/apps/validation/validation.go}, the count of templates by
 * {@code pkg/registry/apps/daemonset/strategy.go}, v1.33.
 */
final class DaemonSetStrategy implements ResourceStrategy {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
    private static final JsonNode ROLLING_UPDATE =
            Json.object().put("maxUnavailable", 1).put("maxSurge", 0);

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        PodSpecDefaults.prepareTemplate(spec, "template");
        RollingUpdateDefaults.prepare(spec, "updateStrategy", ROLLING_UPDATE);
        countTemplates(draft);
    }

    /** Counts in an annotation how many templates a daemon set has had. */
    private static void countTemplates(ObjectDraft draft) {
        ObjectNode annotations = Json.child(Json.child(draft.next(), "metadata"), "annotations");
        ObjectNode before = draft.before();
        if (before == null) {
            annotations.put(TEMPLATE_GENERATION, "1");
            return;
        }
        String count = Json.string(before, "metadata", "annotations", TEMPLATE_GENERATION);
        long former = count.isEmpty() ? 1 : Long.parseLong(count);
        boolean same = draft.isStatus() || JsonEquality.same(template(before), template(draft.next()));
        annotations.put(TEMPLATE_GENERATION, String.valueOf(same ? former : former + 1));
    }

    private static JsonNode template(ObjectNode object) {
        return object.path("spec").path("template");
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return PodWarnings.ofTemplate(draft, "spec", "template");
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
        checks.atLeast(spec, "minReadySeconds", "spec", 0);
        checks.atLeast(spec, "revisionHistoryLimit", "spec", 0);
        SelectorAndTemplateValidation parts = new SelectorAndTemplateValidation(spec, "DaemonSet", checks);
        parts.templateLabels(parts.optionalSelector());
        parts.templateSpec();
        parts.runsForEver(true);
        RollingUpdateValidation.ofDaemonSet(spec.path("updateStrategy"), checks);
        SelectorAndTemplateValidation.immutableSelector(draft, checks);
    }
}
