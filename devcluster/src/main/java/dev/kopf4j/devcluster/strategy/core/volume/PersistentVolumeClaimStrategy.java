package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Claims of volumes: {@code pkg/registry/core/persistentvolumeclaim/strategy.go}, and
 * {@code ValidatePersistentVolumeClaim} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
public final class PersistentVolumeClaimStrategy extends TableStrategy {
    private final boolean unboundGrow;

    /**
     * Creates the strategy.
     *
     * @param unboundGrow whether claims may grow before they are bound; a real server lets only bound ones grow
     */
    public PersistentVolumeClaimStrategy(boolean unboundGrow) {
        super(RuleTable.of("core"), "persistentvolumeclaims");
        this.unboundGrow = unboundGrow;
    }

    @Override
    public void prepare(ObjectDraft draft) {
        if (draft.isNew()) {
            StorageObjectInUseProtection.hold(draft.next(), "kubernetes.io/pvc-protection");
            draft.next().putObject("status").put("phase", "Pending");
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        super.validate(draft, checks);
        ObjectNode before = draft.before();
        if (before != null && !draft.isStatus()) {
            new ClaimUpdateValidation(before, unboundGrow).check(draft.next(), checks);
        }
    }

    /**
     * Validates changes of one claim: {@code ValidatePersistentVolumeClaimUpdate} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static final class ClaimUpdateValidation {
        private final ObjectNode before;
        private final boolean bound;
        private final boolean mayGrow;

        ClaimUpdateValidation(ObjectNode before, boolean unboundGrow) {
            this.before = before;
            this.bound = Json.string(before, "status", "phase").equals("Bound");
            this.mayGrow = bound || unboundGrow;
        }

        void check(ObjectNode next, FieldChecks checks) {
            if (!JsonEquality.same(fixedPart(before), fixedPart(next))) {
                checks.add(FieldError.forbidden(
                        "spec",
                        "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                                + " claims"));
            }
            String former = storage(before);
            String wanted = storage(next);
            if (!former.isEmpty()
                    && !wanted.isEmpty()
                    && Quantity.value(wanted).compareTo(Quantity.value(former)) < 0) {
                checks.add(FieldError.forbidden(
                        "spec.resources.requests.storage", "field can not be less than previous value"));
            }
            checks.immutable(
                    next.path("spec").path("volumeMode"), before.path("spec").path("volumeMode"), "volumeMode");
        }

        private static String storage(ObjectNode claim) {
            return Json.string(claim, "spec", "resources", "requests", "storage");
        }

        /**
         * The claim without the fields that may change: the size of claims that may grow, and the volume and class if
         * they are not set yet.
         */
        private JsonNode fixedPart(JsonNode claim) {
            ObjectNode spec = ((ObjectNode) claim.path("spec")).deepCopy();
            if (mayGrow) {
                Json.child(Json.child(spec, "resources"), "requests").remove("storage");
            }
            if (bound) {
                spec.remove("volumeAttributesClassName");
            }
            for (String setOnce : List.of("volumeName", "storageClassName")) {
                if (!before.path("spec").has(setOnce)) {
                    spec.remove(setOnce);
                }
            }
            return spec;
        }
    }
}
