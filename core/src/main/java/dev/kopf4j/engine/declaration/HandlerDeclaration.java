package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of a handler, in either style. Immutable.
 *
 * @param kind what it is called for
 * @param selector for which resources
 * @param children the resources of the children that it is about; none for other kinds of handlers
 * @param id its id without the suffix of the field; null if it is to be the method's name
 * @param param a value for its parameter {@code param}
 * @param options everything else
 */
public record HandlerDeclaration(
        HandlerKind kind,
        ResourceSelector selector,
        List<ResourceSelector> children,
        @Nullable String id,
        @Nullable Object param,
        DeclaredOptions options) {
    /** Copies the list. */
    public HandlerDeclaration {
        children = List.copyOf(children);
    }

    /** The same, with each selector as the function makes it. */
    public HandlerDeclaration resolved(UnaryOperator<ResourceSelector> function) {
        return new HandlerDeclaration(
                kind, function.apply(selector), children.stream().map(function).toList(), id, param, options);
    }

    /** True if the resource is one of the children's. */
    public boolean concernsChildren(Resource resource) {
        return children.stream().anyMatch(kind -> kind.matches(resource));
    }
}
