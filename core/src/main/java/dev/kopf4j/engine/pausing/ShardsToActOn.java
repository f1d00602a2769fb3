package dev.kopf4j.engine.pausing;

import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;

/**
 * The shards of objects to act on, and who is told when they change. They are all objects, unless they are shared with
 * other replicas, and none while the operator stands by. Thread-safe.
 */
public final class ShardsToActOn {
    private final OperatorTrace trace;
    private volatile ShardSet now = ShardSet.ALL;
    private volatile HandOver handOver = HandOver.NOTHING;

    /** All objects. */
    ShardsToActOn(OperatorTrace trace) {
        this.trace = trace;
    }

    /** Gives up the objects of shards that this operator does not act on any more, and finds those of others. */
    public interface HandOver {
        /** Nothing was begun. */
        HandOver NOTHING = new HandOver() {
            @Override
            public boolean giveUp() {
                return true;
            }

            @Override
            public void takeMore() {
                // Whatever is begun, asks for the shards.
            }
        };

        /**
         * Begins nothing any more for objects of other shards than {@link #now}, and waits for the end of what is being
         * done for them.
         *
         * @return false if something goes on in spite of everything
         */
        boolean giveUp() throws InterruptedException;

        /** Finds the objects of shards that have come to {@link #now}. Returns at once. */
        void takeMore();
    }

    /** The objects to act on now. */
    public ShardSet now() {
        return now;
    }

    /** From now on these are the objects to act on; the {@link #handOver} has to be told. */
    public void serve(ShardSet others) {
        serveUntold(others);
        tellServed(others);
    }

    /** The same under a lock of the caller, who tells of it by {@link #tellServed} when he has left that. */
    public void serveUntold(ShardSet others) {
        now = others;
    }

    /** Tells the trace which objects are acted on now. */
    public void tellServed(ShardSet served) {
        trace.happened(new OperatorStep.ShardsServed(ShardSet.ranges(served.numbers()), served.count()));
    }

    /** What has to be told of changes of the shards. */
    public HandOver handOver() {
        return handOver;
    }

    /** From now on that one is told of changes of the shards. */
    public void handOver(HandOver other) {
        handOver = other;
    }

    /** Acts on no objects any more while it stands by, and on all after that. */
    void standBy(boolean standsBy) throws InterruptedException {
        now = standsBy ? ShardSet.NONE : ShardSet.ALL;
        if (standsBy) {
            var _ = handOver.giveUp();
        } else {
            handOver.takeMore();
        }
    }
}
