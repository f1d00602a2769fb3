package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cycles of the lifecycle {@code asap} that one real cycle under {@code inOrder} stands for: each makes one call,
 * leaves its records and its patch, and is followed by the next one without a request. Confined to the object's worker.
 */
final class CycleSequence {
    private final ChangeCycleState cycle;
    private final FollowingCycle followingCycle;
    private CycleStart present;
    /** False once the present one has made a call. */
    private boolean begun = true;
    /** True once a call that the present one has made has ended. */
    private boolean ended;

    private boolean over;

    CycleSequence(ChangeCycleState cycle, FollowingCycle followingCycle, CycleStart first) {
        this.cycle = cycle;
        this.followingCycle = followingCycle;
        this.present = first;
    }

    /** What the present cycle has begun with. */
    CycleStart present() {
        return present;
    }

    /** All handlers of the resource that are called for changes. */
    List<RegisteredHandler> handlers() {
        return followingCycle.handlers().changes();
    }

    /** True if no other cycle can follow but a real one, which has to begin at once. */
    boolean isOver() {
        return over;
    }

    /** A call begins in the present cycle. */
    void callBegins() {
        begun = false;
    }

    /**
     * A call has ended. The call of a parent may have outlasted the cycle in which it began.
     *
     * @param silent true if it has left nothing to write but its record
     */
    void callEnds(boolean silent) {
        begun &= silent;
        ended = !begun;
    }

    /** Ends the present cycle, unless it has only just begun, and begins the following one; false if that cannot be. */
    boolean goOn() throws InterruptedException {
        return begun || beginFollowing();
    }

    private boolean beginFollowing() throws InterruptedException {
        @Nullable CycleStart start = cycle.checkpoint().endCycle(cycle.progress()) ? following() : null;
        over = start == null;
        if (start != null) {
            present = start;
            cycle.progress()
                    .activate(start.selected(), cycle.handling().platform().now());
            begun = true;
            ended = false;
        }
        return !over;
    }

    /** Writes what the calls so far have achieved, before a filter is asked about the state that they have left. */
    private @Nullable CycleStart following() {
        try {
            return followingCycle.after(present, cycle.checkpoint().found());
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            cycle.checkpoint().stored().localLogger().debug("The filters have failed: {}", e, e);
            return null;
        }
    }

    /** Writes what has ended if it is time to, while a call goes on. */
    void writeIfDue() throws InterruptedException {
        cycle.checkpoint().writeIfDue(cycle.progress(), ended);
    }
}
