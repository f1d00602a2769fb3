package dev.kopf4j.crd;

/**
 * How lists are merged when several managers apply parts of them ({@code x-kubernetes-list-type}).
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Merge strategy</a>
 */
public enum ListType {
    /** Not said: as a whole; {@code SET} for a {@link java.util.Set}, {@code MAP} if there are keys. */
    DEFAULT,
    /** As a whole. */
    ATOMIC,
    /** Element by element; none may occur twice. */
    SET,
    /** Element by element, told apart by their keys. */
    MAP
}
