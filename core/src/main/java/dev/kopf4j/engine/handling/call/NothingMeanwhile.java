package dev.kopf4j.engine.handling.call;

import dev.kopf4j.runtime.Deadline;

/** Nothing has to be done while a call is running. */
enum NothingMeanwhile implements HandlerRunner.Meanwhile {
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
}
