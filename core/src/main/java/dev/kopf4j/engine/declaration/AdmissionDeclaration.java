package dev.kopf4j.engine.declaration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import java.util.ArrayList;
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
    public static final AdmissionDeclaration NONE = new Draft().declare();

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

    /** One in the making, by options or by an annotation. Confined. */
    public static final class Draft {
        List<AdmissionOperation> operations = List.of();
        String subresource = "";
        boolean persistent;
        boolean sideEffects;
        boolean ignoreFailures;
        final List<MetadataFilter> namespaceSelector = new ArrayList<>();
        final List<String> matchConditions = new ArrayList<>();
        MatchPolicy matchPolicy = MatchPolicy.EQUIVALENT;
        int timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
        ReinvocationPolicy reinvocationPolicy = ReinvocationPolicy.NEVER;

        /** Takes what an annotation says; other annotations than those of webhooks say nothing. */
        public Draft read(AnnotationAttributes attributes) {
            if (!(attributes.value("operations") instanceof AdmissionOperation[] given)) {
                return this;
            }
            operations = List.of(given);
            subresource = attributes.text("subresource");
            persistent = attributes.flag("persistent");
            sideEffects = attributes.flag("sideEffects");
            ignoreFailures = attributes.flag("ignoreFailures");
            for (String selector : attributes.texts("namespaceSelector")) {
                namespaceSelector.addAll(MetadataFilter.parseSelector(selector));
            }
            matchConditions.addAll(List.of(attributes.texts("matchConditions")));
            matchPolicy = attributes.value("matchPolicy") instanceof MatchPolicy policy ? policy : matchPolicy;
            timeoutSeconds = attributes.number("timeoutSeconds", timeoutSeconds);
            reinvocationPolicy = attributes.value("reinvocationPolicy") instanceof ReinvocationPolicy policy
                    ? policy
                    : reinvocationPolicy;
            return this;
        }

        /** What has come together. */
        public AdmissionDeclaration declare() {
            return new AdmissionDeclaration(
                    operations,
                    subresource,
                    persistent,
                    sideEffects,
                    ignoreFailures,
                    namespaceSelector,
                    matchConditions,
                    matchPolicy,
                    timeoutSeconds,
                    reinvocationPolicy);
        }
    }
}
