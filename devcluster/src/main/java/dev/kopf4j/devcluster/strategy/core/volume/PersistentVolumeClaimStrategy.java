package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.JsonEquality;
import java.math.BigDecimal;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Claims of volumes: {@code pkg/registry/core/persistentvolumeclaim/strategy.go}, and
 * {@code ValidatePersistentVolumeClaim} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
public final class PersistentVolumeClaimStrategy extends TableStrategy {
    private static final String SOURCE = "dataSource";
    private static final String REFERENCE = "dataSourceRef";
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
    public void derive(ObjectDraft draft) {
        super.derive(draft);
        if (!draft.isStatus()) {
            JsonNode before = draft.before();
            ObjectNode spec = Json.child(draft.next(), "spec");
            prepareSpec(spec, before == null ? Json.object() : before.path("spec"));
        }
    }

    /**
     * {@code DropDisabledFields}, {@code EnforceDataSourceBackwardsCompatibility} and {@code NormalizeDataSources} in
     * {@code pkg/api/persistentvolumeclaim/util.go}, v1.33.
     */
    private static void prepareSpec(ObjectNode spec, JsonNode before) {
        if (!before.hasNonNull("volumeAttributesClassName")) {
            spec.remove("volumeAttributesClassName");
        }
        if (!before.hasNonNull(REFERENCE)
                && !Json.string(spec, REFERENCE, "namespace").isEmpty()) {
            spec.remove(REFERENCE);
        }
        boolean hadSource = before.hasNonNull(SOURCE) || before.hasNonNull(REFERENCE);
        if (!hadSource && !spec.hasNonNull(REFERENCE) && !isClaimOrSnapshot(spec.path(SOURCE))) {
            spec.remove(SOURCE);
        }
        normalize(spec);
    }

    private static boolean isClaimOrSnapshot(JsonNode source) {
        String kind = Json.string(source, "apiGroup") + "/" + Json.string(source, "kind");
        return kind.equals("/PersistentVolumeClaim") || kind.equals("snapshot.storage.k8s.io/VolumeSnapshot");
    }

    /** Where one of the two fields is set, both are. */
    private static void normalize(ObjectNode spec) {
        boolean elsewhere = !Json.string(spec, REFERENCE, "namespace").isEmpty();
        if (spec.hasNonNull(SOURCE) && !spec.hasNonNull(REFERENCE)) {
            spec.set(REFERENCE, spec.path(SOURCE).deepCopy());
        } else if (spec.hasNonNull(REFERENCE) && !spec.hasNonNull(SOURCE) && !elsewhere) {
            spec.set(SOURCE, ((ObjectNode) spec.path(REFERENCE)).deepCopy().without("namespace"));
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
        private final boolean unboundGrow;

        ClaimUpdateValidation(ObjectNode before, boolean unboundGrow) {
            this.before = before;
            this.bound = Json.string(before, "status", "phase").equals("Bound");
            this.unboundGrow = unboundGrow;
        }

        void check(ObjectNode next, FieldChecks checks) {
            BigDecimal former = storage(before, "spec", "resources", "requests", "storage");
            BigDecimal wanted = storage(next, "spec", "resources", "requests", "storage");
            boolean shrinks = wanted.compareTo(former) < 0;
            boolean mayResize = bound || (unboundGrow && !shrinks);
            if (!JsonEquality.same(fixedPart(before, mayResize), fixedPart(next, mayResize))) {
                checks.add(FieldError.forbidden(
                        "spec",
                        "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                                + " claims"));
            }
            // A claim may shrink to recover from an expansion that has failed.
            if (shrinks && wanted.compareTo(storage(before, "status", "capacity", "storage")) <= 0) {
                checks.add(FieldError.forbidden(
                        "spec.resources.requests.storage", "field can not be less than status.capacity"));
            }
            checks.immutable(
                    next.path("spec").path("volumeMode"), before.path("spec").path("volumeMode"), "volumeMode");
            String attributes = "volumeAttributesClassName";
            if (!next.path("spec").path(attributes).equals(before.path("spec").path(attributes))) {
                checks.add(FieldError.forbidden(
                        "spec." + attributes,
                        "update is forbidden when the VolumeAttributesClass feature gate is disabled"));
            }
        }

        private static BigDecimal storage(ObjectNode claim, String... path) {
            String amount = Json.string(claim, path);
            return amount.isEmpty() ? BigDecimal.ZERO : Quantity.value(amount);
        }

        /**
         * The claim without the fields that may change: the size of claims that may have another one, and the volume
         * and class if they are not set yet.
         */
        private JsonNode fixedPart(JsonNode claim, boolean mayResize) {
            ObjectNode spec = ((ObjectNode) claim.path("spec")).deepCopy();
            normalize(spec);
            if (mayResize) {
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
