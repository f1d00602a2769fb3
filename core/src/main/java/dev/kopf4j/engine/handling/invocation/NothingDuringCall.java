package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Task;

/** Nothing has to be done while a call is running. */
enum NothingDuringCall implements DuringCall {
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
        // These calls are not kept from being made again.
    }
}
