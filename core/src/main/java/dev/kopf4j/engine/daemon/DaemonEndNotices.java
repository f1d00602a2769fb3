package dev.kopf4j.engine.daemon;

import org.jspecify.annotations.Nullable;

/**
 * Tells the worker of an object that a daemon or timer has ended, unless the worker has stopped it itself. Guarded by
 * the monitor of the object's daemons.
 */
final class DaemonEndNotices {
    private @Nullable Runnable listener;
    private boolean unnoticed;
    private boolean quiet;

    /** Nothing has ended. */
    DaemonEndNotices() {}

    /** From now on the action tells the worker; at once if something has ended already. */
    void listen(Runnable action) {
        listener = action;
        if (unnoticed) {
            action.run();
        }
    }

    /** Something has ended. */
    void ended() {
        if (!quiet) {
            unnoticed = true;
            if (listener != null) {
                listener.run();
            }
        }
    }

    /** True if something has ended since the worker has looked last. */
    boolean areUnnoticed() {
        return unnoticed;
    }

    /** The worker looks at the daemons now. */
    void acknowledge() {
        unnoticed = false;
    }

    /** Runs an action of the worker: it need not be told of what ends by that. */
    void quietly(Runnable action) {
        quiet = true;
        try {
            action.run();
        } finally {
            quiet = false;
        }
    }
}
