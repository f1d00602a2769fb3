package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Volumes at nodes: {@code ValidateVolumeAttachment} and {@code ValidateVolumeAttachmentUpdate} in
 * {@code pkg/apis/storage/validation/validation.go}, v1.33.
 */
final class VolumeAttachmentStrategy implements ResourceStrategy {
    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("labels", "annotations", "finalizers", "ownerReferences");
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        String attacher = Json.string(spec, "attacher");
        checks.required(spec, "attacher", "spec");
        checks.problem(DnsNames.subdomain(attacher.toLowerCase(Locale.ROOT)), "spec.attacher", attacher);
        JsonNode source = spec.path("source");
        boolean inline = source.path("inlineVolumeSpec").isObject();
        boolean named = source.has("persistentVolumeName");
        if (!inline && !named) {
            checks.add(FieldError.required(
                    "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"));
        } else if (inline && named) {
            checks.add(FieldError.forbidden(
                    "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"));
        } else if (named) {
            checks.required(source, "persistentVolumeName", "spec.source");
        }
        String node = Json.string(spec, "nodeName");
        checks.problem(DnsNames.subdomain(node), "spec.nodeName", node);
        ObjectNode before = draft.before();
        if (before != null && !draft.isStatus()) {
            checks.immutable(spec, before.path("spec"), "spec");
        }
    }
}
