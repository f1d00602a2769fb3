package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;

/**
 * Configurations of validating webhooks: {@code validateValidatingWebhook} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
 */
final class ValidatingWebhookConfigurationStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        new WebhookValidation(checks).check(draft.next().path("webhooks"), (webhook, path) -> {});
    }
}
