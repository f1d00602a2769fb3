package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionOptions;
import dev.kopf4j.MatchPolicy;
import java.util.Arrays;
import java.util.List;

/**
 * Collects also which requests admission handlers are asked about. Confined.
 *
 * @param <O> the options of the kind, as users see them
 */
abstract class AdmissionOptionsDraft<O extends AdmissionOptions<O>> extends HandlerOptionsDraft<O>
        implements AdmissionOptions<O> {
    AdmissionOptionsDraft() {}

    @Override
    public final O operations(AdmissionOperation... each) {
        admission.operations = List.of(each);
        return self();
    }

    @Override
    public final O subresource(String name) {
        admission.subresource = name;
        return self();
    }

    @Override
    public final O persistent() {
        admission.persistent = true;
        return self();
    }

    @Override
    public final O sideEffects() {
        admission.sideEffects = true;
        return self();
    }

    @Override
    public final O ignoreFailures() {
        admission.ignoreFailures = true;
        return self();
    }

    @Override
    public final O namespaceSelector(String... selectors) {
        Arrays.stream(selectors).map(MetadataFilter::parseSelector).forEach(admission.namespaceSelector::addAll);
        return self();
    }

    @Override
    public final O matchConditions(String... expressions) {
        admission.matchConditions.addAll(List.of(expressions));
        return self();
    }

    @Override
    public final O matchPolicy(MatchPolicy policy) {
        admission.matchPolicy = policy;
        return self();
    }

    @Override
    public final O timeoutSeconds(int seconds) {
        admission.timeoutSeconds = seconds;
        return self();
    }
}
