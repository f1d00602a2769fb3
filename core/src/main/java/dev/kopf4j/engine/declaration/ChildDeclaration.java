package dev.kopf4j.engine.declaration;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.ArrayList;
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

    /** One in the making, by options or by an annotation. Confined. */
    public static final class Draft {
        final List<ResourceSelector> kinds = new ArrayList<>();

        @Nullable String parentLabel;

        @Nullable Function<? super Body, @Nullable String> parentBy;

        boolean metadataOnly;
        boolean force;
        boolean adopt;
        boolean ordered;
        boolean bodies;
        String condition = "";

        /** Takes what the annotation of a handler says that describes children. */
        public Draft readDesired(AnnotationAttributes attributes) {
            for (String kind : attributes.texts("children")) {
                kinds.add(ResourceSelector.of(kind));
            }
            force = attributes.flag("force");
            adopt = attributes.flag("adopt");
            ordered = attributes.flag("ordered");
            bodies = attributes.flag("bodies");
            condition = attributes.text("condition");
            return this;
        }

        /**
         * Takes what the annotation of a handler says that is called for children.
         *
         * @param child the resource of the children
         * @param parentFunction the method that finds the parent's name; null for none
         */
        public Draft readObserved(
                AnnotationAttributes attributes,
                ResourceSelector child,
                @Nullable Function<? super Body, @Nullable String> parentFunction) {
            kinds.add(child);
            String label = attributes.text("parentLabel");
            parentLabel = label.isEmpty() ? null : label;
            parentBy = parentFunction;
            metadataOnly = attributes.flag("metadataOnly");
            return this;
        }

        /** What has come together. */
        public ChildDeclaration declare() {
            return new ChildDeclaration(
                    kinds, parentLabel, parentBy, metadataOnly, force, adopt, ordered, bodies, condition);
        }
    }
}
