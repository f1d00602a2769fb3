package dev.kopf4j.engine.orchestration;

import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.children.live.ChildTap;
import dev.kopf4j.engine.index.IndexReadinessGate;

/**
 * A stream's part in knowing children: it keeps the gate closed until all that exist are known, as otherwise parents
 * would miss them. Thread-safe.
 *
 * @param tap knows the children
 * @param gate holds handlers back
 * @param title names it among those who keep the gate closed
 * @param handled true if there are handlers of the objects themselves
 */
record ChildStream(ChildTap tap, IndexReadinessGate gate, String title, boolean handled) {
    /** A list will come. */
    void begin() {
        gate.block(title);
    }

    /** Hears the stream beside others. */
    ListAndWatchListener listener(ListAndWatchListener others) {
        return tap.listener(others, handled, () -> gate.release(title));
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
