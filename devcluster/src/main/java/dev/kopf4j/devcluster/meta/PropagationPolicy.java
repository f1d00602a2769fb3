package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The propagation policies of deletions that keep the object, by a finalizer, until the garbage collector is done:
 * {@code deletionFinalizersForGarbageCollection} in {@code pkg/registry/generic/registry/store.go} of the apiserver
 * library, v1.33.
 */
public enum PropagationPolicy {
    /** The dependents are deleted before the object. */
    FOREGROUND("Foreground", "foregroundDeletion"),
    /** The dependents lose their reference to the object. */
    ORPHAN("Orphan", "orphan");

    private final String word;
    private final String finalizer;

    PropagationPolicy(String word, String finalizer) {
        this.word = word;
        this.finalizer = finalizer;
    }

    /** The name of the policy. */
    public String word() {
        return word;
    }

    /** The finalizer that the policy sets. */
    public String finalizer() {
        return finalizer;
    }

    /** Whether an object has the finalizer. */
    public boolean isOn(JsonNode object) {
        return Json.items(object, "metadata", "finalizers")
                .anyMatch(each -> each.stringValue().equals(finalizer));
    }

    /** Whether an object is being deleted and has the finalizer. */
    public boolean isDue(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp") && isOn(object);
    }

    /**
     * Sets the finalizer of a policy, and removes those of the others; true if anything changed.
     *
     * @param wish the policy that the client wants; if it is empty, a finalizer that is set stays
     * @param orphans whether the kind orphans dependents if the client wants nothing
     */
    public static boolean setFinalizer(ObjectNode metadata, String wish, boolean orphans) {
        Set<String> before = new LinkedHashSet<>();
        metadata.path("finalizers").forEach(each -> before.add(each.stringValue()));
        if (wish.isEmpty() && (before.contains(FOREGROUND.finalizer) || before.contains(ORPHAN.finalizer))) {
            return false;
        }
        String policy = wish.isEmpty() && orphans ? ORPHAN.word : wish;
        Set<String> after = new LinkedHashSet<>(before);
        for (PropagationPolicy each : values()) {
            if (each.word.equals(policy)) {
                after.add(each.finalizer);
            } else {
                after.remove(each.finalizer);
            }
        }
        if (after.equals(before)) {
            return false;
        }
        if (after.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.set("finalizers", Json.array(after));
        }
        return true;
    }
}
