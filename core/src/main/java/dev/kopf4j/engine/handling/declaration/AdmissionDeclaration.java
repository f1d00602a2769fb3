package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import java.util.List;

/**
 * Which requests an admission handler is asked about, and what the API server has to know of it. Immutable.
 *
 * @param operations what the client wants to do; empty for all operations
 * @param subresource which subresource; {@code *} for any and the object itself, empty for the object itself
 * @param persistent true if its webhook outlives the operator
 * @param sideEffects true if it changes something outside the object
 * @param ignoreFailures true if requests go on where it cannot be asked
 * @param namespaceSelector conditions on the labels of the namespace, all of which must hold
 * @param matchConditions conditions in CEL, all of which must hold
 * @param matchPolicy whether other versions of the resource count
 * @param timeoutSeconds how long the API server waits
 * @param reinvocationPolicy whether it is called again after others
 */
public record AdmissionDeclaration(
        List<AdmissionOperation> operations,
        String subresource,
        boolean persistent,
        boolean sideEffects,
        boolean ignoreFailures,
        List<MetadataFilter> namespaceSelector,
        List<String> matchConditions,
        MatchPolicy matchPolicy,
        int timeoutSeconds,
        ReinvocationPolicy reinvocationPolicy) {
    /** The subresource that stands for all, and for the object itself. */
    public static final String ANY_SUBRESOURCE = "*";

    /** How long the API server waits where nothing is said, in seconds. */
    public static final int DEFAULT_TIMEOUT_SECONDS = 30;

    /** Nothing is given. */
    public static final AdmissionDeclaration NONE = new AdmissionDraft().declare();

    /** Copies the lists. */
    public AdmissionDeclaration {
        operations = List.copyOf(operations);
        namespaceSelector = List.copyOf(namespaceSelector);
        matchConditions = List.copyOf(matchConditions);
    }

    /** True if requests about this subresource, or the object itself where it is empty, are its business. */
    public boolean isFor(String requested) {
        return subresource.equals(ANY_SUBRESOURCE) || subresource.equals(requested);
    }

    /** True if it is asked about deletions and nothing else. */
    public boolean isForDeletionsOnly() {
        return operations.equals(List.of(AdmissionOperation.DELETE));
    }
}
