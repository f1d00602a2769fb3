package dev.kopf4j.testing.simulation;

/** The rules that are checked in each simulation. */
public enum Rule {
    /** Each handler of changes has finally seen the final state of each object. */
    FINAL_STATE_SEEN("each handler has finally seen the final state"),
    /** A handler is not called again for a change when its success is recorded on the object. */
    NO_SUCCESS_REPEATED("no success that was recorded is repeated"),
    /** No object that is being deleted waits for the operator. */
    NO_FINALIZER_LEFT("no finalizer of the operator is left on an object that is being deleted"),
    /** A replica writes only while it has the lease. */
    NO_WRITE_WITHOUT_LEASE("no replica writes after it has lost the lease"),
    /**
     * When nothing happens any more, nothing is written, but by timers and daemons, and by what answers to their
     * changes.
     */
    NO_WRITES_AT_REST("nothing is written when nothing happens any more"),
    /** The operator fails only by faults. */
    NO_FAILURE("the operator does not fail by itself");

    private final String words;

    Rule(String words) {
        this.words = words;
    }

    /** The rule as a sentence. */
    public String words() {
        return words;
    }
}
