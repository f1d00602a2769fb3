package dev.kopf4j.engine.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.json.JsonConversionException;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the assignment is fair, moves no more than needed, and never gives a shard that somebody has to another. */
class ShardAssignmentTest {
    private static BitSet shards(int... numbers) {
        BitSet set = new BitSet();
        for (int each : numbers) {
            set.set(each);
        }
        return set;
    }

    private static ShardAssignment settled(int count, String... members) {
        List<String> all = List.of(members);
        return ShardAssignment.free(count).balanced(all).taken(all::contains);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8 | a     | {\"count\":8,\"epoch\":0,\"holders\":{\"a\":\"0-7\"},\"wanted\":{\"a\":\"0-7\"}}",
                "1 | a,b   | {\"count\":1,\"epoch\":0,\"holders\":{\"a\":\"0\"},\"wanted\":{\"a\":\"0\"}}",
                "3 | b,a   | {\"count\":3,\"epoch\":0,\"holders\":{\"a\":\"0-1\",\"b\":\"2\"},\"wanted\":{\"a\":\"0-1\",\"b\":\"2\"}}",
            })
    void isStoredAsText(int count, String members, String text) {
        ShardAssignment assignment = settled(count, members.split(","));

        assertThat(assignment.text()).isEqualTo(text);
        assertThat(ShardAssignment.parse(text).text()).isEqualTo(text);
        assertThat(assignment.isSettled()).isTrue();
    }

    /** Replicas of two versions read each other while the newer one is rolled out. */
    @Test
    void whatAMemberWorksAtIsStoredAsText() {
        Lease.Purpose purpose =
                new Lease.Purpose(List.of("b-*", "a"), "kopf.zalando.org", List.of("sites.example.com", "pods"));
        String text =
                "{\"namespaces\":[\"a\",\"b-*\"],\"prefix\":\"kopf.zalando.org\",\"kinds\":[\"pods\",\"sites.example.com\"]}";
        assertThat(purpose.text()).isEqualTo(text);
        Lease lease = Lease.unheard("ns", "sites-1").annotated("kopf4j.dev/purpose", text);
        assertThat(Lease.Purpose.of(lease)).isEqualTo(purpose);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"count\":0}",
                "{\"count\":99999999}",
                "{\"count\":8,\"holders\":{\"a\":\"x\"}}",
                "{\"count\":8,\"holders\":{\"a\":\"7-9\"}}",
                "{\"count\":8,\"holders\":{\"a\":\"5-3\"},\"wanted\":{}}",
                "{\"count\":8}",
                "{\"count\":8,\"holders\":null,\"wanted\":null}",
                "{\"count\":8,\"holders\":{}}",
                "{\"count\":8,\"wanted\":{}}",
                "{\"count\":8,\"holders\":[],\"wanted\":{}}",
                "{\"count\":8,\"holders\":{\"a\":[0,1]},\"wanted\":{}}",
            })
    void refusesWhatMakesNoSense(String text) {
        assertThatThrownBy(() -> ShardAssignment.parse(text)).isInstanceOf(JsonConversionException.class);
    }

    /** A member that joins waits for the others to give up what it is to have. */
    @Test
    void aShardIsGivenOnByItsHolderOnly() {
        ShardAssignment before = settled(4, "a");

        ShardAssignment joined = before.balanced(List.of("a", "b")).taken(Set.of("a", "b")::contains);

        assertThat(joined.heldBy("a")).as("held").isEqualTo(shards(0, 1, 2, 3));
        assertThat(joined.servedBy("a")).as("to be kept").isEqualTo(shards(0, 1));
        assertThat(joined.heldBy("b")).isEqualTo(shards());

        ShardAssignment handedOver = joined.givenUp("a", shards(2)).taken(Set.of("a", "b")::contains);

        assertThat(handedOver.heldBy("a")).isEqualTo(shards(0, 1, 3));
        assertThat(handedOver.servedBy("b")).isEqualTo(shards(2));
    }

    @Test
    void nobodyGivesUpWhatOthersHave() {
        ShardAssignment both = settled(4, "a", "b");

        assertThat(both.givenUp("a", shards(0, 1, 2, 3)).heldBy("b")).isEqualTo(both.heldBy("b"));
    }

    /** The annotation was removed or damaged: who goes on with a shard, says so before it is given to others. */
    @Test
    void whatCannotBeReadIsReclaimed() {
        ShardAssignment lost = ShardAssignment.unknown(4);

        ShardAssignment reclaimed = lost.reclaimed("a", shards(1)).balanced(List.of("a", "b"));

        assertThat(reclaimed.heldBy("a")).isEqualTo(shards(1));
        assertThat(reclaimed.taken(member -> true).heldBy("b"))
                .as("the others wait")
                .isEqualTo(shards());
        assertThat(reclaimed.without("?"::equals).taken(member -> true).isSettled())
                .isTrue();
    }

    /** By random joins and leaves. */
    @Test
    void isFairAndMovesNoMoreThanNeeded() {
        long seed = Long.getLong("kopf4j.seed", 1);
        Random random = new Random(seed);
        for (int world = 0; world < 200; world++) {
            int count = random.nextInt(1, 70);
            Set<String> members = new TreeSet<>(Set.of("m0"));
            ShardAssignment now = settled(count, "m0");
            for (int step = 1; step < 12; step++) {
                boolean joins = members.size() == 1 || random.nextBoolean();
                String who = joins
                        ? "m" + step
                        : members.stream()
                                .skip(random.nextInt(members.size()))
                                .findFirst()
                                .orElseThrow();
                int leaver = joins ? 0 : now.heldBy(who).cardinality();
                var _ = joins ? members.add(who) : members.remove(who);
                ShardAssignment before = now;
                ShardAssignment next =
                        now.without(holder -> !members.contains(holder)).balanced(members);
                for (String each : members) {
                    BitSet moved = next.heldBy(each);
                    moved.andNot(next.servedBy(each));
                    next = next.givenUp(each, moved);
                }
                now = next.taken(members::contains);

                String about = "seed " + seed + ", world " + world + ": " + before + " -> " + now;
                assertThat(now.isSettled()).as(about).isTrue();
                int moved = 0;
                for (String each : members) {
                    int has = now.heldBy(each).cardinality();
                    assertThat(has)
                            .as(about)
                            .isBetween(count / members.size(), (count + members.size() - 1) / members.size());
                    BitSet gained = now.heldBy(each);
                    gained.andNot(before.heldBy(each));
                    moved += gained.cardinality();
                }
                int most = joins ? (count + members.size() - 1) / members.size() : leaver;
                assertThat(moved).as(about).isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void objectsAreSpreadOverTheShards() {
        int[] found = new int[64];
        Random random = new Random(1);
        for (int i = 0; i < 64_000; i++) {
            String uid = new UUID(random.nextLong(), random.nextLong()).toString();
            found[ShardSet.shardOf(uid, 64)]++;
        }
        for (int each : found) {
            assertThat(each).isBetween(850, 1150);
        }
    }

    /** The number is part of the wire format: all versions must agree. */
    @ParameterizedTest
    @CsvSource({"9a3ae6ff-49a6-4b40-9f4c-b3c6f4ef0d37,64,61", "x,64,11", "x,1,0", "abc,1000,666"})
    void theShardOfAnObjectIsFixed(String uid, int count, int shard) {
        assertThat(ShardSet.shardOf(uid, count)).isEqualTo(shard);
    }
}
