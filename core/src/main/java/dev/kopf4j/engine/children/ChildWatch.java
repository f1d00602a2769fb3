package dev.kopf4j.engine.children;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why the objects of one resource are watched as children. Immutable.
 *
 * @param resource the resource
 * @param handlers the handlers of parents that are about them; at least one
 * @param fieldManager who applies desired children
 * @param narrowed true if nobody else looks at the resource
 */
public record ChildWatch(Resource resource, List<RegisteredHandler> handlers, String fieldManager, boolean narrowed) {
    /** Copies the list. */
    public ChildWatch {
        handlers = List.copyOf(handlers);
    }

    /** True if objects of that resource have handlers that are about the children. */
    public boolean hasParents(Resource other) {
        return handlers.stream()
                .anyMatch(handler -> handler.declaration().selector().matches(other));
    }

    /** Whose children they are, for people. */
    public String parents() {
        return handlers.stream()
                .map(handler -> handler.declaration().selector().toString())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** True if handlers are told what happens to the children. */
    boolean isTold() {
        return handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.CHILD);
    }

    /** True if the state of children is kept, for those who look at it. */
    boolean keepsBodies() {
        return isTold() || options().anyMatch(DeclaredOptions::bodies);
    }

    /** True if some of the children are made by the operator. */
    boolean isDesired() {
        return handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.RECONCILE);
    }

    /** True if some children belong to their owners. */
    boolean isByOwner() {
        return options().anyMatch(DeclaredOptions::isByOwner);
    }

    private Stream<DeclaredOptions> options() {
        return handlers.stream().map(RegisteredHandler::options);
    }

    /** What the server need not send. */
    public Narrowing narrowing() {
        return narrowed ? new Narrowing(labelSelector(), isMetadataEnough()) : Narrowing.NONE;
    }

    private String labelSelector() {
        if (!isTold()) {
            return ChildMarks.MANAGED_BY + "=" + fieldManager;
        }
        List<String> labels = options()
                .map(DeclaredOptions::parentLabel)
                .map(label -> Objects.requireNonNullElse(label, ""))
                .distinct()
                .toList();
        return labels.size() == 1 ? labels.getFirst() : "";
    }

    private boolean isMetadataEnough() {
        return handlers.stream()
                .allMatch(handler -> !handler.options().bodies()
                        && (handler.kind() == HandlerKind.CHILD || Readiness.isAlwaysReady(resource)));
    }

    /** True if the narrowed stream has the object, too. */
    boolean isWatched(ObjectNode body) {
        JsonNode labels = body.path("metadata").path("labels");
        String[] selector = labelSelector().split("=", 2);
        return selector[0].isEmpty()
                || !narrowed
                || (selector.length == 1
                        ? labels.has(selector[0])
                        : labels.path(selector[0]).asString("").equals(selector[1]));
    }

    /** An object as the narrowed stream tells of it. */
    ObjectNode asStreamed(ObjectNode body) {
        if (!narrowed || !isMetadataEnough()) {
            return body;
        }
        ObjectNode part = Json.object();
        List.of("apiVersion", "kind", "metadata").forEach(key -> part.set(key, body.path(key)));
        return part;
    }
}
