package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import tools.jackson.databind.JsonNode;

/** Pod templates: {@code ValidatePodTemplate} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
final class PodTemplateStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        PodSpecDefaults.prepareTemplate(draft.next(), "template");
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode labels = draft.next().path("template").path("metadata").path("labels");
        LabelSelectorValidation.labels(labels, "template.labels", checks);
        PodSpecValidation.check(draft.next().path("template").path("spec"), "template.spec", checks);
    }
}
