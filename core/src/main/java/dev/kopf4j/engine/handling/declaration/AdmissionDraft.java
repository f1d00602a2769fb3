package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import java.util.ArrayList;
import java.util.List;

/** An {@link AdmissionDeclaration} in the making. Confined. */
final class AdmissionDraft {
    List<AdmissionOperation> operations = List.of();
    String subresource = "";
    boolean persistent;
    boolean sideEffects;
    boolean ignoreFailures;
    final List<MetadataFilter> namespaceSelector = new ArrayList<>();
    final List<String> matchConditions = new ArrayList<>();
    MatchPolicy matchPolicy = MatchPolicy.EQUIVALENT;
    int timeoutSeconds = AdmissionDeclaration.DEFAULT_TIMEOUT_SECONDS;
    ReinvocationPolicy reinvocationPolicy = ReinvocationPolicy.NEVER;

    AdmissionDeclaration declare() {
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
