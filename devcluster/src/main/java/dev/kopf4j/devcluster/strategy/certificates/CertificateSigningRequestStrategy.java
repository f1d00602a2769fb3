package dev.kopf4j.devcluster.strategy.certificates;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests for certificates: the spec does not change, and only the endpoint {@code approval} approves or denies. See
 * {@code pkg/registry/certificates/certificates/strategy.go} and
 * {@code pkg/apis/certificates/validation/validation.go}, v1.33.
 */
final class CertificateSigningRequestStrategy implements ResourceStrategy {
    private static final String APPROVAL = "approval";

    private final InstantSource clock;

    CertificateSigningRequestStrategy(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Set<String> resetFields(String subresource) {
        return subresource.equals(APPROVAL) ? Set.of("spec") : Set.of("spec", "status");
    }

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode before = draft.before();
        if (before == null) {
            return;
        }
        if (draft.isStatus()) {
            stamp(
                    draft.next().path("status").path("conditions"),
                    before.path("status").path("conditions"));
        }
        if (draft.subresource().equals(APPROVAL)) {
            JsonNode conditions = draft.next().path("status").path("conditions");
            ObjectNode status = ((ObjectNode) before.path("status").deepCopy());
            status.remove("conditions");
            if (!conditions.isEmpty()) {
                status.set("conditions", conditions);
            }
            draft.next().set("status", status);
            stamp(
                    draft.next().path("status").path("conditions"),
                    before.path("status").path("conditions"));
        }
    }

    /** {@code populateConditionTimestamps}: a new condition has the time of its request. */
    private void stamp(JsonNode conditions, JsonNode before) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        for (JsonNode node : conditions) {
            ObjectNode condition = (ObjectNode) node;
            if (isUnset(condition, "lastUpdateTime")) {
                condition.put("lastUpdateTime", now);
            }
            if (isUnset(condition, "lastTransitionTime")) {
                condition.put("lastTransitionTime", former(condition, before, now));
            }
        }
    }

    private static boolean isUnset(JsonNode condition, String field) {
        return Json.string(condition, field).isEmpty();
    }

    private static String former(JsonNode condition, JsonNode before, String now) {
        return before.valueStream()
                .filter(each -> each.path("type").equals(condition.path("type"))
                        && each.path("status").equals(condition.path("status")))
                .map(each -> Json.string(each, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElse(now);
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        SigningRequestValidation.check(draft.next(), checks);
        if (!draft.isNew()) {
            JsonNode before = Objects.requireNonNull(draft.before());
            SigningRequestValidation.checkUpdate(
                    draft.next().path("status"), before.path("status"), draft.subresource(), checks);
        }
    }
}
