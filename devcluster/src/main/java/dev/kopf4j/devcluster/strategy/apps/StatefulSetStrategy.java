package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stateful sets: {@code SetDefaults_StatefulSet} in {@code pkg/apis/apps/v1/defaults.go},
 * {@code ValidateStatefulSetSpec} and {@code ValidateStatefulSetUpdate} in
 * {@code pkg/apis/apps/validation/validation.go}, v1.33. The pod spec is not validated before pods are made, as it
 * names claims that are not known yet.
 */
final class StatefulSetStrategy implements ResourceStrategy {
    private static final JsonNode ROLLING_UPDATE = Json.object().put("partition", 0);
    private static final List<String> MUTABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        PodSpecDefaults.prepareTemplate(spec, "template");
        RollingUpdateDefaults.prepare(spec, "updateStrategy", ROLLING_UPDATE);
        for (JsonNode claim : spec.path("volumeClaimTemplates")) {
            ((ObjectNode) claim).put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
            Json.child((ObjectNode) claim, "status").put("phase", "Pending");
        }
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(PodWarnings.ofTemplate(draft, "spec", "template"));
        if (draft.next().path("spec").path("revisionHistoryLimit").longValue(0) < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
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
        checks.atLeast(spec.path("ordinals"), "start", "spec.ordinals", 0);
        checks.atLeast(
                spec.path("updateStrategy").path("rollingUpdate"), "partition", "spec.updateStrategy.rollingUpdate", 0);
        for (String field : List.of("whenDeleted", "whenScaled")) {
            JsonNode policy = spec.path("persistentVolumeClaimRetentionPolicy");
            checks.oneOf(policy, field, "spec.persistentVolumeClaimRetentionPolicy", List.of("Delete", "Retain"));
        }
        SelectorAndTemplateValidation parts = new SelectorAndTemplateValidation(spec, "StatefulSet", checks);
        if (parts.requiredSelector()) {
            parts.templateLabels(true);
            parts.runsForEver(false);
        }
        word(Json.string(spec, "updateStrategy", "type"), "updateStrategy", "RollingUpdate", "OnDelete", checks);
        word(Json.string(spec, "podManagementPolicy"), "podManagementPolicy", "OrderedReady", "Parallel", checks);
        ObjectNode before = draft.before();
        if (before != null && !JsonEquality.same(fixedPart(before.path("spec")), fixedPart(spec))) {
            checks.add(FieldError.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden"));
        }
    }

    private static void word(String value, String field, String first, String second, FieldChecks checks) {
        if (!value.equals(first) && !value.equals(second)) {
            checks.problem("must be '" + first + "' or '" + second + "'", "spec." + field, value);
        }
    }

    private static ObjectNode fixedPart(JsonNode spec) {
        ObjectNode copy = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        return copy.without(MUTABLE);
    }
}
