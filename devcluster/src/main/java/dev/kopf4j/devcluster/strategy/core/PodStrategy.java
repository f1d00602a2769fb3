package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodQosClass;
import dev.kopf4j.devcluster.strategy.pod.PodResizeValidation;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods: defaults, what admission adds, the first phase; only few fields of the spec may change. See
 * {@code pkg/registry/core/pod/strategy.go} and {@code pkg/apis/core/validation/validation.go}
 * ({@code ValidatePodCreate}, {@code ValidatePodUpdate}), v1.33.
 */
final class PodStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode former = draft.before();
        if (former != null && draft.subresource().equals(PodSubresources.EPHEMERAL)) {
            PodSubresources.keepAllButEphemeralContainers(draft.next(), former);
        } else if (former != null && draft.subresource().equals(PodSubresources.RESIZE)) {
            PodSubresources.keepAllButResources(draft.next(), former);
        }
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (draft.isNew()) {
            PodAdmissionDefaults.serviceAccount(spec);
        }
        PodSpecDefaults.prepare(spec);
        PodDefaults.prepare(spec);
        ObjectNode before = draft.before();
        if (before != null && draft.subresource().isEmpty()) {
            PodAdmissionDefaults.keep(spec, before.path("spec"));
        }
        if (draft.isNew()) {
            PodAdmissionDefaults.prepare(spec);
            ObjectNode status = draft.next().putObject("status");
            status.put("phase", "Pending").put("qosClass", PodQosClass.of(spec));
            if (!spec.path("schedulingGates").isEmpty()) {
                gate(status);
            }
        }
        PodDefaults.addresses(draft.next().path("status"));
    }

    /** {@code applySchedulingGatedCondition}. */
    private static void gate(ObjectNode status) {
        status.putArray("conditions")
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .putNull("lastProbeTime")
                .putNull("lastTransitionTime")
                .put("reason", "SchedulingGated")
                .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }

    @Override
    public DeletionStrategy deletion() {
        return PodDeletion.INSTANCE;
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return PodWarnings.ofPod(draft);
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        ObjectNode before = draft.before();
        PodSpecValidation.check(spec, "spec", checks);
        if (before == null && !spec.path("ephemeralContainers").isEmpty()) {
            checks.add(FieldError.forbidden("spec.ephemeralContainers", "cannot be set on create"));
        }
        if (before == null) {
            return;
        }
        switch (draft.subresource()) {
            case "" -> PodUpdateValidation.check(spec, before.path("spec"), checks);
            case PodSubresources.EPHEMERAL ->
                PodSubresources.checkEphemeralContainers(spec, before.path("spec"), checks);
            case PodSubresources.RESIZE -> PodResizeValidation.check(draft.next(), before, checks);
            default -> {} // the status has no rules here
        }
    }
}
