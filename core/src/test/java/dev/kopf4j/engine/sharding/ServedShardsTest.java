package dev.kopf4j.engine.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a replica keeps a shard that it is to have no more. */
class ServedShardsTest {
    private static final int SHARDS = 8;

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
    private final ShardsToActOn shards = new PauseReasons(world, OperatorTrace.NONE).shards();
    private final ServedShards served = new ServedShards(world, shards);
    private final List<BitSet> keptMeanwhile = new ArrayList<>();

    private static BitSet only(int shard) {
        BitSet one = new BitSet();
        one.set(shard);
        return one;
    }

    private void serve(BitSet target) {
        try {
            var _ = served.change(SHARDS, target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first wait knows nothing of the work that has begun after it. */
    @Test
    void aShardThatComesBackAndIsLostAgainWhileItIsGivenUpIsWaitedForAgain() {
        shards.handOver(new ShardsToActOn.HandOver() {
            @Override
            public boolean giveUp() {
                if (keptMeanwhile.isEmpty()) {
                    // The lease is lost, and the replica joins again.
                    served.clear(SHARDS);
                    serve(only(3));
                    serve(new BitSet());
                }
                keptMeanwhile.add(served.busy());
                return true;
            }

            @Override
            public void takeMore() {
                // There are no objects to look for.
            }
        });
        world.spawn("group", () -> {
            serve(only(3));
            serve(new BitSet());
        });
        world.spawn("handing over", Platform.untilInterrupted(() -> served.handOver(Duration.ofSeconds(1), () -> {})));
        world.runFor(Duration.ofMinutes(1));
        assertThat(keptMeanwhile).containsExactly(only(3), only(3));
        assertThat(served.busy().isEmpty()).isTrue();
    }
}
