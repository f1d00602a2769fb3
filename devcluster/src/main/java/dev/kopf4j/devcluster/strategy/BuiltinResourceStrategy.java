package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of a built-in resource: sets the defaults of its type, calls the strategy of its kind, and restores the
 * canonical form, because both add fields behind those that the client sent.
 *
 * @param type empty for the few kinds whose types are not known
 */
record BuiltinResourceStrategy(Optional<StructType> type, ResourceStrategy ofKind) implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        type.ifPresent(known -> TypeDefaults.apply(known, draft.next()));
        ofKind.prepare(draft);
        type.ifPresent(known -> {
            ObjectNode canonical = CanonicalCodec.canonical(known, draft.next(), new ArrayList<>());
            draft.next().removeAll();
            draft.next().setAll(canonical);
        });
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ofKind.validate(draft, checks);
    }

    @Override
    public boolean checksUpdatesTwice() {
        return ofKind.checksUpdatesTwice();
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        return ofKind.warnings(draft);
    }

    @Override
    public List<String> deletionWarnings() {
        return ofKind.deletionWarnings();
    }

    @Override
    public DeletionStrategy deletion() {
        return ofKind.deletion();
    }

    @Override
    public Set<String> resetFields(String subresource) {
        return ofKind.resetFields(subresource);
    }

    @Override
    public Set<String> metadataKeptByStatus() {
        return ofKind.metadataKeptByStatus();
    }

    @Override
    public void validatePatched(ObjectDraft draft, FieldChecks checks) {
        ofKind.validatePatched(draft, checks);
    }

    @Override
    public JsonNode generationPart(Resource resource, ObjectNode object) {
        return ofKind.generationPart(resource, object);
    }
}
