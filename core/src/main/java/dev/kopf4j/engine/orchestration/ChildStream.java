package dev.kopf4j.engine.orchestration;

import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.children.live.ChildListing;
import dev.kopf4j.engine.children.live.ChildTap;
import dev.kopf4j.engine.children.live.ChildWatch;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.tracing.OperatorTrace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream's part in knowing children: it holds the handlers of the parents back until all children that exist are
 * known, as otherwise they would miss them. Handlers of other resources go on. Thread-safe.
 */
final class ChildStream implements ChildListing {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final ChildTap tap;
    private final ChildWatch watch;
    private final IndexReadinessGate gate;
    private final String title;
    private final boolean handled;
    private final OperatorTrace trace;
    private volatile boolean listed;
    private volatile boolean warned;

    /**
     * A stream that has not begun.
     *
     * @param tap knows the children
     * @param watch why they are watched
     * @param gate holds handlers back
     * @param stream the title of the stream
     * @param handled true if there are handlers of the objects themselves
     * @param trace hears of the objects, if nobody else tells it of them
     */
    ChildStream(
            ChildTap tap,
            ChildWatch watch,
            IndexReadinessGate gate,
            String stream,
            boolean handled,
            OperatorTrace trace) {
        this.tap = tap;
        this.watch = watch;
        this.gate = gate;
        this.title = "the children of " + stream;
        this.handled = handled;
        this.trace = trace;
    }

    ChildTap tap() {
        return tap;
    }

    /** A list will come. */
    void begin() {
        listed = false;
        gate.block(title, watch::hasParents);
    }

    /** Hears the stream beside others. */
    ListAndWatchListener listener(ListAndWatchListener others) {
        ListAndWatchListener own = tap.listener(others, handled, this);
        return handled || trace.equals(OperatorTrace.NONE) ? own : new TracedChildren(tap.resource(), trace, own);
    }

    @Override
    public void allListed() {
        listed = true;
        gate.release(title);
        if (warned) {
            warned = false;
            log.info("The handlers of {} go on: {} are listed.", watch.parents(), watch.resource());
        }
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (!listed && !warned) {
            warned = true;
            log.warn(
                    "The handlers of {} wait for their children: {} cannot be listed: {}. Allow the operator to list and"
                            + " watch them, or name other kinds of children; 'kopf4j explain watches' prints the rights. All"
                            + " other handlers go on.",
                    watch.parents(),
                    watch.resource(),
                    failure == null ? reason : failure.getMessage());
        }
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
