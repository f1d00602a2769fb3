package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.strategy.pod.TemplateStrategy;
import dev.kopf4j.json.JsonEquality;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group apps, beside the rows of its table. */
public final class AppsStrategies {
    private static final RuleTable TABLE = RuleTable.of("apps");

    private AppsStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "controllerrevisions.apps", new ControllerRevisionStrategy(),
                "daemonsets.apps", new DaemonSetStrategy(),
                "deployments.apps", new TemplateStrategy(TABLE, "deployments", "spec", "template"),
                "replicasets.apps", new TemplateStrategy(TABLE, "replicasets", "spec", "template"),
                "statefulsets.apps", new TemplateStrategy(TABLE, "statefulsets", "spec", "template"));
    }

    /** Revisions do not change: {@code pkg/apis/apps/validation/validation.go}, v1.33. */
    private static final class ControllerRevisionStrategy extends TableStrategy {
        ControllerRevisionStrategy() {
            super(TABLE, "controllerrevisions");
        }

        /** The data of a patched revision is never equal to what is stored, because it was decoded in another way. */
        @Override
        public void validatePatched(ObjectDraft draft, FieldChecks checks) {
            ObjectNode before = draft.before();
            if (before != null && JsonEquality.same(draft.next().path("data"), before.path("data"))) {
                checks.add(FieldError.invalid("data", Json.text(draft.next().path("data")), "field is immutable"));
            }
        }
    }

    /** Daemon sets count their templates: {@code pkg/registry/apps/daemonset/strategy.go}, v1.33. */
    private static final class DaemonSetStrategy extends TemplateStrategy {
        private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

        DaemonSetStrategy() {
            super(TABLE, "daemonsets", "spec", "template");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            super.prepare(draft);
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
    }
}
