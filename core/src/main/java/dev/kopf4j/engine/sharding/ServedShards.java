package dev.kopf4j.engine.sharding;

import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The shards whose objects this replica acts on. One that it is to have no more stays its own until all work for its
 * objects has ended. Thread-safe.
 */
final class ServedShards {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.sharding");

    private final Platform platform;
    private final ShardsToActOn shards;
    private final Monitor monitor;
    /** What is given up, while work for its objects goes on. Guarded by the monitor. */
    private final BitSet leaving = new BitSet();
    /** Raised when nothing counts any more that was given up before. Guarded by the monitor. */
    private int clearings;

    /** Those that are served are known there. */
    ServedShards(Platform platform, ShardsToActOn shards) {
        this.platform = platform;
        this.shards = shards;
        this.monitor = platform.monitor();
    }

    /** True if the object with that uid is in a shard that is served, or given up while work goes on. */
    boolean has(String uid) {
        ShardSet now = shards.now();
        return now.has(uid)
                || monitor.locked(() -> !leaving.isEmpty() && leaving.get(ShardSet.shardOf(uid, now.count())));
    }

    /** True if none is served. */
    boolean isEmpty() {
        return shards.now().numbers().isEmpty();
    }

    /** Those that are served, or given up while work goes on. */
    BitSet busy() {
        BitSet served = shards.now().numbers();
        BitSet busy = monitor.locked(() -> (BitSet) leaving.clone());
        busy.or(served);
        return busy;
    }

    /** None is served any more, whatever work goes on. */
    void clear(int count) {
        shards.serve(ShardSet.of(count, new BitSet()));
        monitor.locked(() -> {
            leaving.clear();
            clearings++;
        });
    }

    /**
     * Serves what is assigned, but for what is still being given up, and gives up what is not assigned any more.
     *
     * @param count how many shards there are
     * @return true if there are others than before
     */
    boolean change(int count, BitSet target) throws InterruptedException {
        BitSet served = shards.now().numbers();
        BitSet lost = (BitSet) served.clone();
        lost.andNot(target);
        BitSet kept = (BitSet) served.clone();
        kept.and(target);
        if (!lost.isEmpty()) {
            ShardSet rest = ShardSet.of(count, kept);
            monitor.locked(
                    () -> { // in between, the fence would refuse what is in progress for the lost ones
                        leaving.or(lost);
                        shards.serveUntold(rest);
                    });
            shards.tellServed(rest);
            log.info("Giving up the shards {} of {}.", ShardSet.ranges(lost), count);
        }
        BitSet more = (BitSet) target.clone();
        monitor.locked(() -> more.andNot(leaving));
        more.andNot(kept);
        if (more.isEmpty() && shards.now().count() == count) {
            return false;
        }
        kept.or(more);
        shards.serve(ShardSet.of(count, kept));
        log.info("Serving the shards {} of {}.", ShardSet.ranges(kept), count);
        return true;
    }

    /**
     * Waits for the end of the work for what is given up, again and again until it is interrupted.
     *
     * @param pause how long to wait where work does not end
     * @param handedOver is called after each end
     */
    void handOver(Duration pause, Runnable handedOver) throws InterruptedException {
        String told = "";

        while (true) {
            GivenUp given = monitor.await(this::givenUp, Deadline.NEVER).orElseThrow();
            if (shards.handOver().giveUp()) {
                monitor.locked(() -> given.ended(leaving, clearings));
                handedOver.run();
            } else {
                String ranges = ShardSet.ranges(given.numbers());
                log.atLevel(ranges.equals(told) ? Level.DEBUG : Level.WARN)
                        .log(
                                "Work for objects of the shards {} goes on: they stay with this replica until it"
                                        + " ends.",
                                ranges);
                told = ranges;
                platform.sleep(pause);
            }
        }
    }

    private Optional<GivenUp> givenUp() {
        return leaving.isEmpty() ? Optional.empty() : Optional.of(new GivenUp((BitSet) leaving.clone(), clearings));
    }

    /** What is waited for. */
    private record GivenUp(BitSet numbers, int clearings) {
        /** A shard that has come back meanwhile, and is given up again, has work that was not waited for. */
        void ended(BitSet leaving, int clearingsNow) {
            if (clearings == clearingsNow) {
                leaving.andNot(numbers);
            }
        }
    }
}
