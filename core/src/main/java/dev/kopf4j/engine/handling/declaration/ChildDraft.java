package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.Body;
import dev.kopf4j.ResourceSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link ChildDeclaration} in the making. Confined. */
final class ChildDraft {
    final List<ResourceSelector> kinds = new ArrayList<>();

    @Nullable String parentLabel;

    @Nullable Function<? super Body, @Nullable String> parentBy;

    boolean metadataOnly;

    boolean force;
    boolean adopt;

    boolean ordered;

    boolean bodies;

    String condition = "";

    ChildDeclaration declare() {
        return new ChildDeclaration(
                kinds, parentLabel, parentBy, metadataOnly, force, adopt, ordered, bodies, condition);
    }
}
