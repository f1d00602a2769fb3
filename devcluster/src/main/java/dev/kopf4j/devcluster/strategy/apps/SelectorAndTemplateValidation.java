package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates what the specs of workloads have in common: a selector, and a template whose labels it selects. See
 * {@code ValidateDeploymentSpec}, {@code ValidateReplicaSetSpec}, {@code ValidateDaemonSetSpec} and
 * {@code ValidateStatefulSetSpec} in {@code pkg/apis/apps/validation/validation.go}, v1.33. Confined to one validation.
 */
final class SelectorAndTemplateValidation {
    private final JsonNode selector;
    private final JsonNode template;
    private final String kind;
    private final FieldChecks checks;

    /**
     * The validation of one object.
     *
     * @param kind the kind as messages name it
     */
    SelectorAndTemplateValidation(JsonNode spec, String kind, FieldChecks checks) {
        this.selector = spec.path("selector");
        this.template = spec.path("template");
        this.kind = kind;
        this.checks = checks;
    }

    /** Validates the specs of deployments and replica sets: counts, selector and template. */
    static void ofReplicas(JsonNode spec, String kind, FieldChecks checks) {
        for (String count : List.of("replicas", "minReadySeconds", "revisionHistoryLimit")) {
            checks.atLeast(spec, count, "spec", 0);
        }
        SelectorAndTemplateValidation parts = new SelectorAndTemplateValidation(spec, kind, checks);
        if (parts.requiredSelector()) {
            parts.templateLabels(true);
            parts.templateSpec();
            parts.runsForEver(true);
        }
    }

    /** Refuses a change of the selector. */
    static void immutableSelector(ObjectDraft draft, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (before != null) {
            JsonNode former = before.path("spec").path("selector");
            checks.immutable(draft.next().path("spec").path("selector"), former, "spec.selector");
        }
    }

    /** Reports the errors of a required selector; true if it is readable. */
    boolean requiredSelector() {
        if (isMissing()) {
            checks.add(FieldError.required("spec.selector", ""));
        }
        boolean readable = optionalSelector();
        if (!readable) {
            checks.add(FieldError.invalid("spec.selector", Json.text(selector), "invalid label selector"));
        }
        return readable;
    }

    /** Reports the errors of an optional selector; true if it is readable. */
    boolean optionalSelector() {
        boolean readable = LabelSelectorValidation.check(selector, "spec.selector", checks);
        if (!isMissing() && LabelSelectorValidation.isEmpty(selector)) {
            String word = kind.toLowerCase(Locale.ROOT);
            checks.add(FieldError.invalid("spec.selector", "{}", "empty selector is invalid for " + word));
        }
        return readable;
    }

    private boolean isMissing() {
        return selector.isMissingNode() || selector.isNull();
    }

    /** Reports labels of the template that are wrong, or that a readable selector does not select. */
    void templateLabels(boolean readable) {
        JsonNode labels = template.path("metadata").path("labels");
        if (readable && !(selector.isObject() && LabelSelector.of(selector).matches(labels))) {
            checks.add(FieldError.invalid(
                    "spec.template.metadata.labels",
                    Json.text(labels.isMissingNode() ? Json.object() : labels),
                    "`selector` does not match template `labels`"));
        }
        LabelSelectorValidation.labels(labels, "spec.template.labels", checks);
    }

    /** Reports the errors of the template's pod spec. */
    void templateSpec() {
        PodSpecValidation.check(template.path("spec"), "spec.template.spec", checks);
    }

    /**
     * Requires that pods restart for ever.
     *
     * @param specChecked whether {@link #templateSpec} has refused policies that do not exist
     */
    void runsForEver(boolean specChecked) {
        String restart = Json.string(template, "spec", "restartPolicy");
        boolean ends = specChecked ? List.of("OnFailure", "Never").contains(restart) : !restart.equals("Always");
        if (ends) {
            checks.add(FieldError.notSupported(
                    "spec.template.spec.restartPolicy", FieldError.quote(restart), List.of("Always")));
        }
        if (template.path("spec").has("activeDeadlineSeconds")) {
            checks.add(FieldError.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in " + kind + " is not Supported"));
        }
    }
}
