package dev.kopf4j.engine.cause;

import dev.kopf4j.Reason;

/** What happened to an object, and what has changed. Immutable. */
public sealed interface Cause {
    /** What happened. */
    Reason reason();

    /** What has changed. */
    Change change();

    /**
     * Something to be handled.
     *
     * @param reason create, update, delete, or resume
     * @param initial true if the object was listed at the start and not handled since: resuming handlers are called too
     * @param change what has changed
     */
    record Handleable(Reason reason, boolean initial, Change change) implements Cause {
        /** Checks the reason. */
        public Handleable {
            if (!reason.isHandled()) {
                throw new IllegalArgumentException("not a reason to call handlers: " + reason);
            }
        }
    }

    /**
     * Something to be noted only.
     *
     * @param reason noop, free, or gone
     * @param change what has changed
     */
    record Informational(Reason reason, Change change) implements Cause {}
}
