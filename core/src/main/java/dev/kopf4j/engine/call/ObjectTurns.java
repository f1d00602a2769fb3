package dev.kopf4j.engine.call;

import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;

/**
 * Lets the handlers of one object come to their ends soon after each other: few objects at a time are in the middle of
 * calling several handlers, as long as these are quick. If all took turns call by call, each object's first success
 * would have to be written before its last handler is called. Thread-safe.
 */
public final class ObjectTurns {
    private static final ScopedValue<Turn> CURRENT = ScopedValue.newInstance();

    private final ConcurrencyLimit concurrencyLimit;

    /** So many turns at a time. */
    ObjectTurns(Platform platform, int atMost) {
        this.concurrencyLimit = new ConcurrencyLimit(platform, atMost);
    }

    /** What is done in a turn. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws InterruptedException;
    }

    /** Does the work when it is its turn, which ends with it at the latest. */
    public void during(Work work) throws InterruptedException {
        concurrencyLimit.acquire(Deadline.NEVER);
        Turn turn = new Turn(concurrencyLimit);
        try {
            ScopedValue.where(CURRENT, turn).call(() -> {
                work.run();
                return turn;
            });
        } finally {
            turn.end();
        }
    }

    /** Gives up the turn of the current task, if it has one, as something may take a while. */
    public static void endTurn() {
        if (CURRENT.isBound()) {
            CURRENT.get().end();
        }
    }

    /** Confined to its task. */
    private static final class Turn {
        private final ConcurrencyLimit concurrencyLimit;
        private boolean ended;

        Turn(ConcurrencyLimit concurrencyLimit) {
            this.concurrencyLimit = concurrencyLimit;
        }

        void end() {
            if (!ended) {
                ended = true;
                concurrencyLimit.release();
            }
        }
    }
}
