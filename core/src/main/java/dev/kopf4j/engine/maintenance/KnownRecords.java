package dev.kopf4j.engine.maintenance;

import dev.kopf4j.persistence.conventions.AnnotationKeys;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotations in which the handlers of an operator, and their sub-handlers, keep their progress. Immutable.
 *
 * @param prefixes the prefixes of annotations in use
 * @param ids the ids of the handlers
 */
record KnownRecords(Set<String> prefixes, List<String> ids) {
    /** The characters of a long name that are there before its hash, in all versions. */
    private static final int CERTAIN = 20;

    KnownRecords {
        prefixes = Set.copyOf(prefixes);
        ids = List.copyOf(ids);
    }

    /**
     * True if the annotation may be a handler's. Sub-handlers are known when they run only: those of a handler all
     * count.
     */
    boolean include(String annotation, ObjectNode body) {
        return prefixes.stream()
                .map(AnnotationKeys::new)
                .filter(keys -> keys.owns(annotation))
                .anyMatch(keys -> ids.stream().anyMatch(id -> belongsTo(keys, id, annotation, body)));
    }

    private static boolean belongsTo(AnnotationKeys keys, String id, String annotation, ObjectNode body) {
        return keys.keys(id, body).contains(annotation)
                || keys.keys(id + "/", body).stream().anyMatch(annotation::startsWith)
                || (id.length() > CERTAIN
                        && annotation.startsWith(
                                keys.keys(id.substring(0, CERTAIN), body).getFirst()));
    }
}
