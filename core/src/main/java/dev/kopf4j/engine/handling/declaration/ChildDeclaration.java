package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which children a handler is about, and how. Immutable.
 *
 * @param kinds the resources of the children; none for other kinds of handlers
 * @param parentLabel the label whose value is the parent's name; null for owner references
 * @param parentBy finds the parent's name; null for owner references
 * @param metadataOnly true if the handler looks at nothing but the metadata of children
 * @param force true to take fields from any other manager
 * @param adopt true to take over objects that somebody else has made
 * @param ordered true to delete the children before the parent
 * @param bodies true to keep the children as they are for handlers that look at them
 * @param condition the type of the parent's condition; empty for none
 */
public record ChildDeclaration(
        List<ResourceSelector> kinds,
        @Nullable String parentLabel,
        @Nullable Function<? super Body, @Nullable String> parentBy,
        boolean metadataOnly,
        boolean force,
        boolean adopt,
        boolean ordered,
        boolean bodies,
        String condition) {
    /** Nothing is given. */
    public static final ChildDeclaration NONE =
            new ChildDeclaration(List.of(), null, null, false, false, false, false, false, "");

    /** Copies the list. */
    public ChildDeclaration {
        kinds = List.copyOf(kinds);
    }

    /** True if the resource is one of the children's. */
    public boolean concerns(Resource resource) {
        return kinds.stream().anyMatch(kind -> kind.matches(resource));
    }

    /** True if children belong to their owners. */
    public boolean byOwner() {
        return parentLabel == null && parentBy == null;
    }

    /** The same children in resolved selectors. */
    public ChildDeclaration withKinds(List<ResourceSelector> resolved) {
        return new ChildDeclaration(
                resolved, parentLabel, parentBy, metadataOnly, force, adopt, ordered, bodies, condition);
    }
}
