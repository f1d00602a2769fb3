package dev.kopf4j.engine.orchestration;

import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.children.live.ChildTap;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.tracing.OperatorTrace;

/**
 * A stream's part in knowing children: it keeps the gate closed until all that exist are known, as otherwise parents
 * would miss them. Thread-safe.
 *
 * @param tap knows the children
 * @param gate holds handlers back
 * @param title names it among those who keep the gate closed
 * @param handled true if there are handlers of the objects themselves
 * @param trace hears of the objects, if nobody else tells it of them
 */
record ChildStream(ChildTap tap, IndexReadinessGate gate, String title, boolean handled, OperatorTrace trace) {
    /** A list will come. */
    void begin() {
        gate.block(title);
    }

    /** Hears the stream beside others. */
    ListAndWatchListener listener(ListAndWatchListener others) {
        ListAndWatchListener own = tap.listener(others, handled, () -> gate.release(title));
        return handled || trace.equals(OperatorTrace.NONE) ? own : new TracedChildren(tap.resource(), trace, own);
    }

    /** Nobody has to wait for the stream any more. */
    void pause() {
        gate.release(title);
    }

    /** The stream has ended for good. */
    void end() {
        tap.end();
    }
}
