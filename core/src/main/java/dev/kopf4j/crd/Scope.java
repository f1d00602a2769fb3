package dev.kopf4j.crd;

/** Where the objects of a custom resource live. */
public enum Scope {
    /** In namespaces. */
    NAMESPACED,
    /** In the cluster, outside of all namespaces. */
    CLUSTER
}
