package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Marks the annotations of Kopf-like operators for each other. If each of two operators took the other's annotations
 * for a change of the object, both would react for ever. Pure.
 */
public final class OperatorMarker {
    private static final String NAME = "kopf-managed";
    private static final String KNOWN_DOMAIN = AnnotationKeys.DEFAULT_PREFIX;

    private OperatorMarker() {}

    /** Returns all prefixes that belong to such operators, found by the marker or by Kopf's domain. */
    public static Set<String> markedPrefixes(JsonNode annotations) {
        Set<String> prefixes = new HashSet<>();
        for (String annotation : annotations.propertyNames()) {
            int slash = annotation.indexOf('/');
            if (slash >= 0 && isMarked(annotation.substring(0, slash), annotation.substring(slash + 1))) {
                prefixes.add(annotation.substring(0, slash));
            }
        }
        return prefixes;
    }

    /** Adds the marker to the patch, once. Prefixes such as {@code kopf.…} need no marker. */
    public static void store(String prefix, JsonNode body, ObjectNode patch) {
        if (prefix.startsWith("kopf.")) {
            return;
        }
        FieldPath field = AnnotationKeys.field(prefix + "/" + NAME);
        if (!field.isPresentIn(body) && !field.isPresentIn(patch)) {
            field.ensure(patch, StringNode.valueOf("yes"));
        }
    }

    private static boolean isMarked(String prefix, String name) {
        return name.equals(NAME) || prefix.equals(KNOWN_DOMAIN) || prefix.endsWith("." + KNOWN_DOMAIN);
    }
}
