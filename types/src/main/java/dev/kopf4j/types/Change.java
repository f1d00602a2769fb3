package dev.kopf4j.types;

/**
 * A difference between two definitions.
 *
 * @param breaking true if objects, clients or stored data that were fine before may not be so any more
 * @param where the version and field, such as {@code v1 spec.replicas}; empty for the definition itself
 * @param what what has changed, for people
 */
public record Change(boolean breaking, String where, String what) {
    /** A line for people. */
    @Override
    public String toString() {
        return (breaking ? "breaking: " : "change: ") + (where.isEmpty() ? "" : where + ": ") + what;
    }
}
