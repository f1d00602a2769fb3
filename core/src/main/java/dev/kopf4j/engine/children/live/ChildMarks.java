package dev.kopf4j.engine.children.live;

/** What children carry to be known again, also after a restart. */
public final class ChildMarks {
    /** The label by which the server selects children; its value is the field manager. */
    public static final String MANAGED_BY = "kopf4j.dev/managed-by";

    /** The annotation that tells which handler has made the child, and the digest of what was applied last. */
    public static final String APPLIED = "kopf4j.dev/applied";

    private ChildMarks() {}
}
