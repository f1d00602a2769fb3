package dev.kopf4j.engine.rights;

import org.jspecify.annotations.Nullable;

/**
 * Where a right is needed. Immutable.
 *
 * @param kind whether in the cluster or in a namespace
 * @param namespace the namespace; null for others
 */
public record RightScope(Kind kind, @Nullable String namespace) implements Comparable<RightScope> {
    /** The kinds of scopes, the widest first. */
    public enum Kind {
        /** For all namespaces, and for what is in none. */
        CLUSTER,
        /** In a namespace whose name is known. */
        NAMESPACE,
        /** In the namespace in which the operator runs. */
        OWN
    }

    /** The whole cluster. */
    public static final RightScope CLUSTER = new RightScope(Kind.CLUSTER, null);

    /** The namespace in which the operator runs. */
    public static final RightScope OWN = new RightScope(Kind.OWN, null);

    /** A namespace; the whole cluster for null. */
    public static RightScope of(@Nullable String namespace) {
        return namespace == null ? CLUSTER : new RightScope(Kind.NAMESPACE, namespace);
    }

    @Override
    public int compareTo(RightScope other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : String.valueOf(namespace).compareTo(String.valueOf(other.namespace));
    }
}
