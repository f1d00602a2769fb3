package dev.kopf4j.client.request;

import dev.kopf4j.runtime.Deadline;

/**
 * The moment until which requests may be sent, and handlers be called. After it, no attempt and no call begins, and no
 * response is awaited. Thread-safe.
 */
@FunctionalInterface
public interface LeadershipFence {
    /** Permits everything. */
    LeadershipFence OPEN = () -> Deadline.NEVER;

    /** Returns the moment after which nothing is begun. Called before each attempt and each call. */
    Deadline until();

    /** Returns the moment after which nothing is begun for the object with that uid; not after {@link #until()}. */
    default Deadline until(String uid) {
        return until();
    }

    /** The same fence for what is begun for the object with that uid. */
    default LeadershipFence of(String uid) {
        LeadershipFence all = this;
        return new LeadershipFence() {
            @Override
            public Deadline until() {
                return all.until(uid);
            }

            @Override
            public boolean awaitCertainty() throws InterruptedException {
                return all.awaitCertainty();
            }
        };
    }

    /**
     * Waits as long as {@link #until} is in doubt: more time has passed by the wall clock than by the monotonic one, as
     * it was set, or the machine was suspended as a whole. Called before {@link #until} by tasks that may wait.
     *
     * @return false if the doubt could not be removed in time: nothing is begun then
     */
    default boolean awaitCertainty() throws InterruptedException {
        return true;
    }
}
