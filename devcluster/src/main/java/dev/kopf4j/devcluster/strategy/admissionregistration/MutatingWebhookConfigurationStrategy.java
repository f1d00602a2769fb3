package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;

/**
 * Configurations of mutating webhooks: {@code validateMutatingWebhook} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
 */
final class MutatingWebhookConfigurationStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        WebhookValidation webhooks = new WebhookValidation(checks);
        webhooks.check(
                draft.next().path("webhooks"),
                (webhook, path) -> checks.oneOf(webhook, "reinvocationPolicy", path, List.of("IfNeeded", "Never")));
    }
}
