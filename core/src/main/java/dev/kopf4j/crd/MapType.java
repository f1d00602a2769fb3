package dev.kopf4j.crd;

/** How mappings are merged when several managers apply parts of them ({@code x-kubernetes-map-type}). */
public enum MapType {
    /** Not said: entry by entry. */
    DEFAULT,
    /** Entry by entry. */
    GRANULAR,
    /** As a whole. */
    ATOMIC
}
