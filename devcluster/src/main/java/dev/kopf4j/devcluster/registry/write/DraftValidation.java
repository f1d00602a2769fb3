package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaValidation;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates objects on their way into the store, and collects the warnings about them. Pure. */
final class DraftValidation {
    private DraftValidation() {}

    /** Refuses an object with 422 if its metadata is not valid, or its kind's strategy finds errors. */
    static void check(ResourceRequest request, ObjectDraft draft, ResourceStrategy strategy) {
        ObjectNode before = draft.before();
        FieldChecks checks = new FieldChecks();
        checks.addAll(
                before == null
                        ? ObjectMetaValidation.ofNew(request.resource(), draft.next())
                        : ObjectMetaValidation.ofUpdate(request.resource(), draft.next(), before));
        if (before != null && draft.subresource().isEmpty() && strategy.checksUpdatesTwice()) {
            strategy.validate(new ObjectDraft(draft.resource(), draft.next(), null, ""), checks);
        }
        strategy.validate(draft, checks);
        boolean patched = request.request().method().equals("PATCH");
        if (patched && !RequestBody.mediaType(request.request()).equals(PatchEdits.STRATEGIC_MERGE_PATCH)) {
            strategy.validatePatched(draft, checks);
        }
        request.warnings().addAll(checks.warnings());
        if (!checks.errors().isEmpty()) {
            String name = before == null ? Json.string(draft.next(), "metadata", "name") : request.name();
            throw ApiException.invalid(request.resource().kindSubject(name), checks.errors());
        }
        JsonNode former = before == null ? Json.missing() : before;
        request.warnings().addAll(ObjectMetaValidation.finalizerWarnings(draft.next(), former));
        request.warnings().addAll(strategy.warnings(draft));
    }
}
