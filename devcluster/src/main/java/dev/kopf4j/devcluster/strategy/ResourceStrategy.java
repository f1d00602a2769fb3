package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a kind does with its objects beyond the rules of all kinds. It has the jobs of the strategies of kube-apiserver
 * ({@code pkg/registry/rest} of the apiserver library, v1.33): by default none of them does anything. Stateless or
 * thread-safe.
 */
public interface ResourceStrategy {
    /** The end of a write that has taken nothing. */
    Runnable NOTHING_TAKEN = () -> {};

    /** Sets defaults and derived values, before the validation; mutating webhooks see them. */
    default void prepare(ObjectDraft draft) {}

    /**
     * Sets what mutating webhooks do not see, once they have answered: derived values of {@code PrepareForCreate} and
     * {@code PrepareForUpdate}, such as those of the uid.
     */
    default void derive(ObjectDraft draft) {}

    /** Sets all of an object that is about to be written. */
    default void prepareWrite(ObjectDraft draft) {
        prepare(draft);
        derive(draft);
    }

    /**
     * Takes what no two objects may have at once, such as ports, after {@link #prepare} and before the validation:
     * {@code BeginCreate} and {@code BeginUpdate} in {@code pkg/registry/generic/registry/store.go}.
     *
     * @return to be run when the object is stored, or will never be
     */
    default Runnable begin(ObjectDraft draft) {
        return NOTHING_TAKEN;
    }

    /** Reports errors. */
    default void validate(ObjectDraft draft, FieldChecks checks) {}

    /**
     * Whether an update is also checked as if the object were new, so that the same error comes twice. Some strategies
     * of {@code pkg/registry} call both {@code ValidateX} and {@code ValidateXUpdate}, which calls the former again.
     */
    default boolean checksUpdatesTwice() {
        return false;
    }

    /** Warnings about what is valid, but probably not intended. */
    default List<String> warnings(ObjectDraft draft) {
        return List.of();
    }

    /** Warnings about a deletion without a propagation policy. */
    default List<String> deletionWarnings() {
        return List.of();
    }

    /** How deletions begin, and what keeps an object that is being deleted. */
    default DeletionStrategy deletion() {
        return DeletionStrategy.USUAL;
    }

    /**
     * The top-level fields that a write leaves as they are stored, whatever the client sends ({@code GetResetFields}).
     *
     * @param subresource the endpoint that is written through, empty for the object itself; not asked for
     *     {@code status}, which resets all but the status
     */
    default Set<String> resetFields(String subresource) {
        return Set.of("status");
    }

    /**
     * The metadata that a write of the status leaves as it is stored: {@code PrepareForUpdate} of status strategies.
     */
    default Set<String> metadataKeptByStatus() {
        return Set.of();
    }

    /**
     * Checks that only JSON and merge patches need; an update by PUT, or by a strategic merge patch, has none of them.
     */
    default void validatePatched(ObjectDraft draft, FieldChecks checks) {}

    /**
     * The part of an object whose changes {@code metadata.generation} counts: by default the spec, or the whole object
     * if it has none.
     */
    default JsonNode generationPart(Resource resource, ObjectNode object) {
        return object.has("spec") ? object.get("spec") : GenerationPart.withoutMetadataAndStatus(resource, object);
    }
}
