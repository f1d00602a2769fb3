package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;

/**
 * Events of the core group: checked only if they have an {@code eventTime}, as those of events.k8s.io have. See
 * {@code pkg/apis/core/validation/events.go}, v1.33.
 */
final class EventStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        LegacyEventValidation.check(draft.next(), EventFields.CORE, checks);
    }
}
