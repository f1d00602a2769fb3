package dev.kopf4j.engine.registration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.AdmissionDeclaration;
import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.engine.injection.HandlerArguments;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns one annotation of one method into its declaration. Pure.
 *
 * @param attributes the annotation
 * @param arguments what the method can be given
 * @param methods finds the methods that the annotation names
 * @param method the annotated method
 */
record HandlerAnnotationReader(
        AnnotationAttributes attributes, HandlerArguments arguments, NamedMethods methods, Method method) {
    HandlerDeclaration read() {
        ChildAttributes children = new ChildAttributes(attributes, methods, method);
        return new HandlerDeclaration(
                arguments.kind(),
                selector(children),
                attributes.id(),
                arguments.param(),
                attributes.retry(),
                new FilterAttributes(attributes, methods).read(),
                attributes.flag("optional"),
                attributes.flag("deleted"),
                background(),
                new AdmissionAttributes(attributes).read(),
                children.read(arguments.kind()));
    }

    private ResourceSelector selector(ChildAttributes children) {
        return arguments.kind() == HandlerKind.CHILD
                ? children.parent()
                : new SelectorAttributes(attributes, methods, method).read();
    }

    private BackgroundDeclaration background() {
        return new BackgroundDeclaration(
                initialDelay(),
                attributes.duration("interval"),
                attributes.flag("sharp"),
                attributes.duration("idle"),
                attributes.duration("cancellationBackoff"),
                attributes.duration("cancellationTimeout"),
                attributes.duration("cancellationPolling"));
    }

    private @Nullable InitialDelay initialDelay() {
        Duration fixed = attributes.duration("initialDelay");
        String method = attributes.text("initialDelayBy");
        if (fixed != null && !method.isEmpty()) {
            throw new HandlerDeclarationException("give either initialDelay or initialDelayBy, not both");
        }
        if (!method.isEmpty()) {
            return new InitialDelay.Computed(methods.delay(method));
        }
        return fixed == null ? null : new InitialDelay.Fixed(fixed);
    }

    /**
     * What an annotation says of the requests that its handler is asked about. Immutable.
     *
     * @param attributes the annotation
     */
    private record AdmissionAttributes(AnnotationAttributes attributes) {
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

    /**
     * What an annotation says of children. Immutable.
     *
     * @param attributes the annotation
     * @param methods finds the method that it may name
     * @param method the annotated method
     */
    private record ChildAttributes(AnnotationAttributes attributes, NamedMethods methods, Method method) {
        /** The resource of the objects that the handler is called for: the parents. */
        ResourceSelector parent() {
            String[] parts = attributes.texts("parent");
            if (parts.length == 0) {
                throw new HandlerDeclarationException(
                        "no parent is named; give its resource, as in parent = \"websites\"");
            }
            return ModelSelectors.resolved(ResourceSelector.of(parts));
        }

        ChildDeclaration read(HandlerKind kind) {
            return switch (kind) {
                case RECONCILE -> desired();
                case CHILD -> observed();
                default -> ChildDeclaration.NONE;
            };
        }

        private ChildDeclaration desired() {
            List<ResourceSelector> kinds = Arrays.stream(attributes.texts("children"))
                    .map(ResourceSelector::of)
                    .toList();
            return new ChildDeclaration(
                    kinds,
                    null,
                    null,
                    false,
                    attributes.flag("force"),
                    attributes.flag("adopt"),
                    attributes.flag("ordered"),
                    attributes.flag("bodies"),
                    attributes.text("condition"));
        }

        private ChildDeclaration observed() {
            String label = attributes.text("parentLabel");
            String function = attributes.text("parentBy");
            return new ChildDeclaration(
                    List.of(new SelectorAttributes(attributes, methods, method).read()),
                    label.isEmpty() ? null : label,
                    function.isEmpty() ? null : methods.parent(function),
                    attributes.flag("metadataOnly"),
                    false,
                    false,
                    false,
                    false,
                    "");
        }
    }
}
