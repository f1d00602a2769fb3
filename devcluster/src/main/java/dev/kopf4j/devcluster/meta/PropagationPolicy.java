package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.json.Json;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Propagation policies as finalizers, which the garbage collector acts upon. */
public final class PropagationPolicy {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private PropagationPolicy() {}

    /**
     * Sets the finalizer of the policy and takes away those of the others; whether anything changed.
     *
     * @param wish the policy that the client wants, or empty: then a finalizer that is there stays
     * @param orphans what the kind does when nothing is said
     */
    public static boolean setFinalizer(ObjectNode metadata, String wish, boolean orphans) {
        Set<String> before = new LinkedHashSet<>();
        metadata.path("finalizers").forEach(each -> before.add(each.stringValue()));
        if (wish.isEmpty() && (before.contains(FOREGROUND) || before.contains(ORPHAN))) {
            return false;
        }
        String policy = wish.isEmpty() && orphans ? "Orphan" : wish;
        Set<String> after = new LinkedHashSet<>(before);
        want(after, FOREGROUND, policy.equals("Foreground"));
        want(after, ORPHAN, policy.equals("Orphan"));
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

    private static void want(Set<String> finalizers, String name, boolean wanted) {
        if (wanted) {
            finalizers.add(name);
        } else {
            finalizers.remove(name);
        }
    }
}
