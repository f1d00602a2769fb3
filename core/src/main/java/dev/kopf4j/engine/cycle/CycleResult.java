package dev.kopf4j.engine.cycle;

import dev.kopf4j.runtime.Deadline;

/** What comes next for an object after a cycle. */
public sealed interface CycleResult {
    /** Nothing until its next event. */
    record Idle() implements CycleResult {}

    /**
     * Another cycle at that moment, unless an event comes first.
     *
     * @param at the moment
     */
    record WakeUp(Deadline at) implements CycleResult {}

    /**
     * Nothing before that moment, whatever comes: there was an unexpected error.
     *
     * @param until the moment
     */
    record Throttled(Deadline until) implements CycleResult {}

    /** The object does not exist any more. */
    record Forget() implements CycleResult {}
}
