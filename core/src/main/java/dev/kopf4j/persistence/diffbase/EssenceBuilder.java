package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationRecords.OperatorMarker;
import dev.kopf4j.persistence.conventions.EssencePruner;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Extracts the essence of an object: the part whose changes count. That is everything but the status, the identity and
 * the system fields; of the metadata, the labels and the annotations, except those of kubectl and of Kopf-like
 * operators.
 *
 * <p>Immutable. An essence shares nodes with its body, which saves a deep copy for each event: neither may be changed.
 */
public final class EssenceBuilder {
    private static final Set<String> SYSTEM_STANZAS = Set.of("apiVersion", "kind", "metadata", "status");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final List<FieldPath> ignoredFields;

    /** Makes a builder that leaves out the ignored fields, even if they are extra fields. */
    public EssenceBuilder(Collection<FieldPath> ignoredFields) {
        this.ignoredFields = List.copyOf(ignoredFields);
        if (this.ignoredFields.contains(FieldPath.ROOT)) {
            throw new IllegalArgumentException("the whole object cannot be ignored; name its fields");
        }
    }

    /** Returns the essence with the extra fields, which handlers ask for. */
    public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
        ObjectNode essence = payload(body);
        addMetadata(essence, body.get("metadata"));
        for (FieldPath field : extraFields) {
            restore(essence, body, field);
        }
        ObjectNode pruned = EssencePruner.withoutEmptyStanzas(essence);
        for (FieldPath field : ignoredFields) {
            pruned = EssencePruner.withoutField(pruned, field);
        }
        return pruned;
    }

    private static ObjectNode payload(ObjectNode body) {
        ObjectNode payload = Json.object();
        for (Map.Entry<String, JsonNode> stanza : body.properties()) {
            if (!SYSTEM_STANZAS.contains(stanza.getKey())) {
                payload.set(stanza.getKey(), stanza.getValue());
            }
        }
        return payload;
    }

    private static void addMetadata(ObjectNode essence, @Nullable JsonNode metadata) {
        if (metadata == null) {
            return;
        }
        ObjectNode kept = Json.object();
        if (metadata.get("labels") instanceof ObjectNode labels) {
            kept.set("labels", labels);
        }
        if (metadata.get("annotations") instanceof ObjectNode annotations) {
            Set<String> marked = OperatorMarker.markedPrefixes(annotations);
            setUnlessEmpty(kept, "annotations", EssencePruner.wanted(annotations, name -> isGarbage(name, marked)));
        }
        setUnlessEmpty(essence, "metadata", kept);
    }

    private static void setUnlessEmpty(ObjectNode parent, String key, ObjectNode value) {
        if (!value.isEmpty()) {
            parent.set(key, value);
        }
    }

    private static boolean isGarbage(String annotation, Set<String> markedPrefixes) {
        for (String prefix : markedPrefixes) {
            if (annotation.startsWith(prefix) && annotation.indexOf('/') == prefix.length()) {
                return true;
            }
        }
        return annotation.equals(LAST_APPLIED);
    }

    /** Sets the field only if it is not there yet, because what is there may be a node of the body. */
    private static void restore(ObjectNode essence, ObjectNode body, FieldPath field) {
        JsonNode wanted = field.resolve(body);
        if (wanted != null && !isSame(wanted, field.resolve(essence))) {
            field.ensure(essence, wanted);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the question is whether the node is shared, not whether it is equal
    private static boolean isSame(JsonNode wanted, @Nullable JsonNode present) {
        return wanted == present;
    }
}
