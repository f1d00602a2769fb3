package dev.kopf4j;

import java.util.List;

/** Which of the due handlers of an object are called in one cycle, and in which order. */
public sealed interface HandlerLifecycle {
    /**
     * All, in the order of registration; each sees the changes of those before it, and progress is written at the end
     * of the cycle or by checkpoints.
     */
    HandlerLifecycle IN_ORDER = BuiltIn.IN_ORDER;
    /** All, in the order of registration, with one write at the end of the cycle. */
    HandlerLifecycle ALL_AT_ONCE = BuiltIn.ALL_AT_ONCE;
    /** The first one. */
    HandlerLifecycle ONE_BY_ONE = BuiltIn.ONE_BY_ONE;
    /** A random one. */
    HandlerLifecycle RANDOMIZED = BuiltIn.RANDOMIZED;
    /** All, in random order. */
    HandlerLifecycle SHUFFLED = BuiltIn.SHUFFLED;
    /** The one with the fewest attempts so far. */
    HandlerLifecycle ASAP = BuiltIn.ASAP;

    /** Those that the framework has, and that have names in settings. */
    enum BuiltIn implements HandlerLifecycle {
        /** As {@link HandlerLifecycle#IN_ORDER}. */
        IN_ORDER,
        /** As {@link HandlerLifecycle#ALL_AT_ONCE}. */
        ALL_AT_ONCE,
        /** As {@link HandlerLifecycle#ONE_BY_ONE}. */
        ONE_BY_ONE,
        /** As {@link HandlerLifecycle#RANDOMIZED}. */
        RANDOMIZED,
        /** As {@link HandlerLifecycle#SHUFFLED}. */
        SHUFFLED,
        /** As {@link HandlerLifecycle#ASAP}. */
        ASAP
    }

    /**
     * A choice of one's own, as in {@code (due, body) -> due.reversed()}. What it leaves out is asked about again in
     * the next cycle, at once; one write at the end of the cycle.
     *
     * <p>Called by many threads at a time. What it throws, and an answer that has none of the due handlers, or others,
     * is an error of the framework for that object: it is logged, and the object is tried again after a growing pause.
     */
    @FunctionalInterface
    non-sealed interface Custom extends HandlerLifecycle {
        /**
         * The handlers to be called in this cycle, in this order.
         *
         * @param due those that could be called, in the order of their registration; at least one
         * @param body the object
         * @return some of them, at least one
         */
        List<DueHandler> plan(List<DueHandler> due, Body body);
    }
}
