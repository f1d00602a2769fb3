package dev.kopf4j.engine.children.live;

import dev.kopf4j.Body;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.BodyView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the parents of children of one resource. Thread-safe.
 *
 * @param watch why they are watched
 */
record ParentFinder(ChildWatch watch) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /**
     * The keys of the parents: uids of owners, and {@link ParentKeys names} that handlers find.
     *
     * @param othersKinds the kinds, as {@code group/Kind}, whose objects are certainly nobody's parents
     */
    List<String> keys(ObjectNode body, Set<String> othersKinds) {
        List<String> keys = new ArrayList<>(1);
        if (watch.isByOwner()) {
            for (JsonNode owner : body.path("metadata").path("ownerReferences")) {
                if (!othersKinds.contains(kind(owner))) {
                    keys.add(owner.path("uid").asString(""));
                }
            }
        }
        String namespace = body.path("metadata").path("namespace").asString("");
        for (RegisteredHandler handler : watch.handlers()) {
            String name = handler.declaration().children().byOwner() ? null : name(handler, body);
            if (name != null && !name.isEmpty()) {
                keys.add(ParentKeys.named(handler.id(), name, namespace));
            }
        }
        return keys;
    }

    private static String kind(JsonNode owner) {
        String version = owner.path("apiVersion").asString("");
        int slash = version.indexOf('/');
        return (slash < 0 ? "" : version.substring(0, slash)) + "/"
                + owner.path("kind").asString("");
    }

    private static @Nullable String name(RegisteredHandler handler, ObjectNode body) {
        ChildDeclaration declaration = handler.declaration().children();
        String label = declaration.parentLabel();
        if (label != null) {
            return body.path("metadata").path("labels").path(label).asString("");
        }
        try {
            Body child = new BodyView(body);
            return declaration.parentBy() == null
                    ? null
                    : declaration.parentBy().apply(child);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            log.error("{} could not find the parent of a child; it has none, as far as is known.", handler, e);
            return null;
        }
    }
}
