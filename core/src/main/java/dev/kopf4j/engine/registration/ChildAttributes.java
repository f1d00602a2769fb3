package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * What an annotation says of children. Immutable.
 *
 * @param attributes the annotation
 * @param methods finds the method that it may name
 * @param method the annotated method
 */
record ChildAttributes(AnnotationAttributes attributes, NamedMethods methods, Method method) {
    /** The resource of the objects that the handler is called for: the parents. */
    ResourceSelector parent() {
        String[] parts = attributes.texts("parent");
        if (parts.length == 0) {
            throw new HandlerDeclarationException("no parent is named; give its resource, as in parent = \"websites\"");
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
