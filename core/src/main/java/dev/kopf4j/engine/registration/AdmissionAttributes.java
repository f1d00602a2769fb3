package dev.kopf4j.engine.registration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.engine.handling.declaration.AdmissionDeclaration;
import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import java.util.Arrays;
import java.util.List;

/**
 * What an annotation says of the requests that its handler is asked about. Immutable.
 *
 * @param attributes the annotation
 */
record AdmissionAttributes(AnnotationAttributes attributes) {
    AdmissionDeclaration read() {
        if (!(attributes.value("operations") instanceof AdmissionOperation[] operations)) {
            return AdmissionDeclaration.NONE;
        }
        List<MetadataFilter> namespaces = Arrays.stream(attributes.texts("namespaceSelector"))
                .flatMap(text -> MetadataFilter.parseSelector(text).stream())
                .toList();
        return new AdmissionDeclaration(
                List.of(operations),
                attributes.text("subresource"),
                attributes.flag("persistent"),
                attributes.flag("sideEffects"),
                attributes.flag("ignoreFailures"),
                namespaces,
                List.of(attributes.texts("matchConditions")),
                attributes.value("matchPolicy") instanceof MatchPolicy policy ? policy : MatchPolicy.EQUIVALENT,
                attributes.number("timeoutSeconds", AdmissionDeclaration.DEFAULT_TIMEOUT_SECONDS),
                attributes.value("reinvocationPolicy") instanceof ReinvocationPolicy policy
                        ? policy
                        : ReinvocationPolicy.NEVER);
    }
}
