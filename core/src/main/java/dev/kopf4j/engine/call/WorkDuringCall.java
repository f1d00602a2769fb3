package dev.kopf4j.engine.call;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Task;

/** Something that the waiting task does while a call is running. */
public interface WorkDuringCall {
    /** When it has to be done; never, if nothing is due. */
    Deadline due();

    /** True if it has to be done now, whatever the time. Read under the lock of the call's monitor. */
    boolean isRequested();

    /** Does it. */
    void act() throws InterruptedException;

    /** The waiting task gives up: it was interrupted, or {@link #act} has failed. The call may go on for a while. */
    void abandoned(Task call);

    /** Nothing has to be done while a call is running. */
    public enum NoWorkDuringCall implements WorkDuringCall {
        INSTANCE;

        @Override
        public Deadline due() {
            return Deadline.NEVER;
        }

        @Override
        public boolean isRequested() {
            return false;
        }

        @Override
        public void act() {
            // Nothing is ever due.
        }

        @Override
        public void abandoned(Task call) {
            // Nothing has to be remembered: these calls may be made again while an earlier one goes on.
        }
    }
}
