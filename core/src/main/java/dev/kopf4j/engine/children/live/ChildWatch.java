package dev.kopf4j.engine.children.live;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Why the objects of one resource are watched as children. Immutable.
 *
 * @param resource the resource
 * @param handlers the handlers of parents that are about them; at least one
 * @param fieldManager who applies desired children
 */
public record ChildWatch(Resource resource, List<RegisteredHandler> handlers, String fieldManager) {
    /** Copies the list. */
    public ChildWatch {
        handlers = List.copyOf(handlers);
    }

    /** True if handlers are told what happens to the children. */
    boolean isTold() {
        return handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.CHILD);
    }

    /** True if some of the children are made by the operator. */
    boolean isDesired() {
        return handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.RECONCILE);
    }

    /** True if some children belong to their owners. */
    boolean isByOwner() {
        return declarations().anyMatch(ChildDeclaration::byOwner);
    }

    private Stream<ChildDeclaration> declarations() {
        return handlers.stream().map(handler -> handler.declaration().children());
    }

    /** What the server need not send, if nobody else looks at the resource. */
    public Narrowing narrowing() {
        return new Narrowing(labelSelector(), isMetadataEnough());
    }

    private String labelSelector() {
        if (!isTold()) {
            return ChildMarks.MANAGED_BY + "=" + fieldManager;
        }
        List<String> labels = declarations()
                .map(ChildDeclaration::parentLabel)
                .map(label -> Objects.requireNonNullElse(label, ""))
                .distinct()
                .toList();
        return labels.size() == 1 ? labels.getFirst() : "";
    }

    private boolean isMetadataEnough() {
        return handlers.stream()
                .allMatch(handler -> handler.kind() == HandlerKind.CHILD
                        ? handler.declaration().children().metadataOnly()
                        : Readiness.isAlwaysReady(resource));
    }
}
