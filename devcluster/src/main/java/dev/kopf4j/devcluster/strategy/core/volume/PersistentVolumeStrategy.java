package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Volumes: {@code pkg/registry/core/persistentvolume/strategy.go}; {@code ValidatePersistentVolume} and
 * {@code ValidatePersistentVolumeUpdate} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
public final class PersistentVolumeStrategy extends TableStrategy {
    private static final String ATTRIBUTES = "volumeAttributesClassName";

    /** A strategy without options. */
    public PersistentVolumeStrategy() {
        super(RuleTable.of("core"), "persistentvolumes");
    }

    @Override
    public void prepare(ObjectDraft draft) {
        if (!draft.isNew()) {
            return;
        }
        StorageObjectInUseProtection.hold(draft.next(), "kubernetes.io/pv-protection");
        ObjectNode status = draft.next().putObject("status").put("phase", "Pending");
        String now = Json.string(draft.next(), "metadata", "creationTimestamp");
        if (!now.isEmpty()) {
            status.put("lastPhaseTransitionTime", now);
        }
    }

    /** {@code DropDisabledSpecFields} in {@code pkg/api/persistentvolume/util.go}, v1.33. */
    @Override
    public void derive(ObjectDraft draft) {
        JsonNode before = draft.before();
        if (before == null || !before.path("spec").hasNonNull(ATTRIBUTES)) {
            Json.child(draft.next(), "spec").remove(ATTRIBUTES);
        }
    }
}
