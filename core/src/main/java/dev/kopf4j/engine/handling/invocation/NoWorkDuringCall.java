package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Task;

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
    public void left(Task call) {
        // Nothing has to be remembered: these calls may be made again while an earlier one goes on.
    }
}
