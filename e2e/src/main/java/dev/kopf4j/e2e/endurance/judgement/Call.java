package dev.kopf4j.e2e.endurance.judgement;

/**
 * One call of a handler, as the handler has written it down.
 *
 * @param process the process that it was in
 * @param uid the object
 * @param value what the object asked for
 * @param version the version of the object that the handler was shown
 * @param begin when it began, in milliseconds
 * @param end how and when it ended
 */
record Call(String process, String handler, String uid, long value, long version, long begin, End end) {
    /** How a call has ended. */
    enum Outcome {
        DONE,
        /** It asked for another attempt. */
        AGAIN,
        /** Its process was killed, or it was interrupted. */
        NONE
    }

    /**
     * The end of a call.
     *
     * @param millis when; {@link Long#MAX_VALUE} if it has none
     */
    record End(Outcome outcome, long millis) {
        static final End NONE = new End(Outcome.NONE, Long.MAX_VALUE);
    }

    boolean isDone() {
        return end.outcome() == Outcome.DONE;
    }

    /** The same call with its end. */
    Call ended(End how) {
        return new Call(process, handler, uid, value, version, begin, how);
    }
}
