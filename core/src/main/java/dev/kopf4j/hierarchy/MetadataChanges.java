package dev.kopf4j.hierarchy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names, namespaces, labels and {@code ownerReferences} in metadata; the last ones make the garbage collector delete
 * children with their owner. Pure functions: each changes the given map and nothing else.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/">owners and
 *     dependents</a>
 */
public final class MetadataChanges {
    private static final String NAME = "name";
    private static final String GENERATE_NAME = "generateName";
    private static final String NAMESPACE = "namespace";
    private static final String LABELS = "labels";
    private static final String OWNER_REFERENCES = "ownerReferences";

    private MetadataChanges() {}

    /** Sets labels. Labels that exist already keep their values, unless {@code forced}. */
    public static void label(Map<String, @Nullable Object> metadata, Map<String, String> labels, boolean forced) {
        if (labels.isEmpty()) {
            return;
        }
        Map<Object, @Nullable Object> result = new LinkedHashMap<>();
        if (metadata.get(LABELS) instanceof Map<?, ?> present) {
            result.putAll(present);
        }
        labels.forEach((key, value) -> {
            if (forced || !result.containsKey(key)) {
                result.put(key, value);
            }
        });
        metadata.put(LABELS, result);
    }

    /** Sets the name ({@code strict}) or its prefix of an object that has neither; of any object if {@code forced}. */
    public static void name(Map<String, @Nullable Object> metadata, String name, boolean forced, boolean strict) {
        if (!forced && (isPresent(metadata, NAME) || isPresent(metadata, GENERATE_NAME))) {
            return;
        }
        metadata.put(strict ? NAME : GENERATE_NAME, strict ? name : name + "-");
        metadata.remove(strict ? GENERATE_NAME : NAME);
    }

    /** Sets the namespace of an object that has none; of any object if {@code forced}. Null removes the namespace. */
    public static void namespace(Map<String, @Nullable Object> metadata, @Nullable String namespace, boolean forced) {
        if (!forced && metadata.get(NAMESPACE) != null) {
            return;
        }
        if (namespace == null) {
            metadata.remove(NAMESPACE);
        } else {
            metadata.put(NAMESPACE, namespace);
        }
    }

    /**
     * Refuses an owner in another namespace: the garbage collector looks for it in the object's own one, does not find
     * it there, and deletes the object.
     */
    public static void checkNamespace(Map<String, @Nullable Object> metadata, OwnerIdentity owner) {
        String expected = owner.namespace();
        Object namespace = metadata.get("namespace");
        if (expected != null && namespace != null && !namespace.equals(expected)) {
            throw new IllegalArgumentException(owner.reference().describe() + " cannot own "
                    + metadata.getOrDefault("name", "an object") + " in the namespace " + namespace
                    + ": Kubernetes' garbage collector would delete it at once. Make it in the owner's namespace"
                    + " (with forced(), adopt moves it there, and appendOwnerReference leaves that to adjustNamespace),"
                    + " or without an owner, and delete it in a handler of the owner's deletion");
        }
    }

    /** Appends a reference to an owner, unless there is one to the same uid. */
    public static void appendOwner(Map<String, @Nullable Object> metadata, Map<String, Object> reference) {
        List<@Nullable Object> references = ownersIn(metadata);
        if (references.stream().noneMatch(one -> refersTo(one, reference.get("uid")))) {
            references.add(new LinkedHashMap<>(reference));
        }
        metadata.put(OWNER_REFERENCES, references);
    }

    /** Removes the references to an owner, by its uid. */
    public static void removeOwner(Map<String, @Nullable Object> metadata, OwnerIdentity owner) {
        List<@Nullable Object> references = ownersIn(metadata);
        references.removeIf(one -> refersTo(one, owner.reference().uid()));
        metadata.put(OWNER_REFERENCES, references);
    }

    private static List<@Nullable Object> ownersIn(Map<String, @Nullable Object> metadata) {
        return metadata.get(OWNER_REFERENCES) instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    }

    private static boolean refersTo(@Nullable Object reference, @Nullable Object uid) {
        return reference instanceof Map<?, ?> map && Objects.equals(map.get("uid"), uid);
    }

    private static boolean isPresent(Map<String, @Nullable Object> metadata, String key) {
        return metadata.get(key) instanceof String text && !text.isEmpty();
    }
}
