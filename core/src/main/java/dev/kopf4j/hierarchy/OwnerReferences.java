package dev.kopf4j.hierarchy;

import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ownerReferences} of metadata: what makes the garbage collector delete children with their owner. Pure
 * functions.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/">owners and
 *     dependents</a>
 */
public final class OwnerReferences {
    private static final String FIELD = "ownerReferences";

    private OwnerReferences() {}

    /** Builds a reference to an owner, without the fields that the owner does not have. */
    public static Map<String, Object> build(OwnerIdentity owner, boolean controller, boolean blockOwnerDeletion) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("controller", controller);
        reference.put("blockOwnerDeletion", blockOwnerDeletion);
        putIdentity(reference, owner.reference());
        return reference;
    }

    /** Builds a reference to any object, as events have it, without the fields that the object does not have. */
    public static Map<String, Object> buildToObject(ObjectReference object) {
        Map<String, Object> reference = new LinkedHashMap<>();
        putIdentity(reference, object);
        putPresent(reference, "namespace", object.namespace());
        return reference;
    }

    private static void putIdentity(Map<String, Object> reference, ObjectReference object) {
        putPresent(reference, "apiVersion", object.apiVersion());
        putPresent(reference, "kind", object.kind());
        putPresent(reference, "name", object.name());
        putPresent(reference, "uid", object.uid());
    }

    private static void putPresent(Map<String, Object> reference, String key, @Nullable Object value) {
        if (value != null) {
            reference.put(key, value);
        }
    }

    /**
     * Refuses an owner in another namespace: the garbage collector looks for it in the object's own one, does not find
     * it there, and deletes the object.
     *
     * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/">owners and
     *     dependents</a>
     */
    public static void checkNamespace(Map<String, @Nullable Object> metadata, OwnerIdentity owner) {
        String expected = owner.namespace();
        Object namespace = metadata.get("namespace");
        if (expected != null && namespace != null && !namespace.equals(expected)) {
            throw new IllegalArgumentException(owner.reference().describe() + " cannot own "
                    + metadata.getOrDefault("name", "an object") + " in the namespace " + namespace
                    + ": Kubernetes' garbage collector would delete it at once. Make it in the owner's namespace, or"
                    + " without an owner, and delete it in a handler of the owner's deletion");
        }
    }

    /** Appends a reference, unless there is one to the same uid. */
    public static void append(Map<String, @Nullable Object> metadata, Map<String, Object> reference) {
        List<@Nullable Object> references = of(metadata);
        if (references.stream().noneMatch(one -> refersTo(one, reference.get("uid")))) {
            references.add(new LinkedHashMap<>(reference));
        }
        metadata.put(FIELD, references);
    }

    /** Removes the references to an owner, by its uid. */
    public static void remove(Map<String, @Nullable Object> metadata, OwnerIdentity owner) {
        List<@Nullable Object> references = of(metadata);
        references.removeIf(one -> refersTo(one, owner.reference().uid()));
        metadata.put(FIELD, references);
    }

    private static List<@Nullable Object> of(Map<String, @Nullable Object> metadata) {
        return metadata.get(FIELD) instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    }

    private static boolean refersTo(@Nullable Object reference, @Nullable Object uid) {
        return reference instanceof Map<?, ?> map && Objects.equals(map.get("uid"), uid);
    }
}
