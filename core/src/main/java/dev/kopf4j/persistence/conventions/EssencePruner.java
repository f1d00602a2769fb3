package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes parts of an essence by making another one. They share the nodes that remain: an essence is made for every
 * event, and itself shares nodes with its object. Pure.
 */
public final class EssencePruner {
    /** The annotation of children that tells which handler has made them, and the digest of what was applied last. */
    public static final String CHILD_MARK = "kopf4j.dev/applied";

    private static final FieldPath CHILD_MARK_FIELD = FieldPath.of("metadata", "annotations", CHILD_MARK);
    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
    private static final FieldPath LABELS = FieldPath.of("metadata", "labels");
    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final FieldPath STATUS = FieldPath.of("status");

    /** The inner ones first. */
    private static final List<FieldPath> OFTEN_EMPTY = List.of(ANNOTATIONS, LABELS, METADATA, STATUS);

    private EssencePruner() {}

    /** Removes a field, and the objects on the way to it that become empty. */
    public static ObjectNode withoutField(ObjectNode essence, FieldPath field) {
        return without(essence, field, 0);
    }

    /**
     * Removes what children are marked with: it is the framework's own, and says nothing new. Stored essences may have
     * it, too, as Kopf does not know it.
     */
    public static ObjectNode withoutChildMark(ObjectNode essence) {
        return CHILD_MARK_FIELD.isPresentIn(essence) ? withoutField(essence, CHILD_MARK_FIELD) : essence;
    }

    /** Removes the unwanted annotations, and the objects that become empty. */
    public static ObjectNode withoutAnnotations(ObjectNode essence, Predicate<String> unwanted) {
        ObjectNode pruned = essence;
        if (ANNOTATIONS.resolve(essence) instanceof ObjectNode annotations) {
            ObjectNode wanted = wanted(annotations, unwanted);
            if (wanted.size() < annotations.size()) {
                ObjectNode metadata = (ObjectNode) essence.path("metadata");
                pruned = with(essence, "metadata", with(metadata, "annotations", wanted));
            }
        }
        return withoutEmptyStanzas(pruned);
    }

    /**
     * Removes empty metadata, labels, annotations and status, which Kubernetes and handlers leave behind; an empty spec
     * stays.
     */
    public static ObjectNode withoutEmptyStanzas(ObjectNode essence) {
        if (!hasEmptyStanza(essence)) {
            return essence;
        }
        ObjectNode pruned = essence;
        for (FieldPath stanza : OFTEN_EMPTY) {
            if (stanza.isPresentIn(pruned) && isEmpty(stanza.resolve(pruned))) {
                pruned = without(pruned, stanza, 0);
            }
        }
        return pruned;
    }

    public static ObjectNode wanted(ObjectNode annotations, Predicate<String> unwanted) {
        ObjectNode wanted = annotations.objectNode();
        annotations.forEachEntry((name, value) -> {
            if (!unwanted.test(name)) {
                wanted.set(name, value);
            }
        });
        return wanted;
    }

    private static boolean hasEmptyStanza(ObjectNode essence) {
        JsonNode metadata = essence.get("metadata");
        return isEmptyThere(metadata)
                || isEmptyThere(essence.get("status"))
                || (metadata != null
                        && (isEmptyThere(metadata.get("annotations")) || isEmptyThere(metadata.get("labels"))));
    }

    private static boolean isEmptyThere(@Nullable JsonNode stanza) {
        return stanza != null && (stanza.isNull() || isEmpty(stanza));
    }

    private static boolean isEmpty(@Nullable JsonNode stanza) {
        return stanza == null || (stanza.isObject() && stanza.isEmpty());
    }

    private static ObjectNode without(ObjectNode parent, FieldPath field, int depth) {
        String key = field.keys().get(depth);
        JsonNode child = parent.get(key);
        if (child == null) {
            return parent;
        }
        if (depth == field.keys().size() - 1) {
            return without(parent, key);
        }
        if (!(child instanceof ObjectNode object)) {
            return parent;
        }
        ObjectNode pruned = without(object, field, depth + 1);
        return pruned.isEmpty() ? without(parent, key) : with(parent, key, pruned);
    }

    private static ObjectNode without(ObjectNode parent, String key) {
        ObjectNode copy = Json.object().setAll(parent);
        copy.remove(key);
        return copy;
    }

    private static ObjectNode with(ObjectNode parent, String key, ObjectNode child) {
        ObjectNode copy = Json.object().setAll(parent);
        copy.set(key, child);
        return copy;
    }
}
