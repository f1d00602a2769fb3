package dev.kopf4j.devcluster.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.controller.deployment.DeploymentController.RollingUpdate;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollingUpdateTest {
    private static RollingUpdate limits(int replicas, String surge, String unavailable) {
        return RollingUpdate.of(Json.parse(
                "{\"replicas\":%s,\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":%s,\"maxUnavailable\":%s}}}"
                        .formatted(replicas, text(surge), text(unavailable))));
    }

    private static String text(String value) {
        return value.endsWith("%") ? '"' + value + '"' : value;
    }

    private static ReplicaSetSize set(String name, long replicas, long available) {
        return new ReplicaSetSize(name, name, replicas, available, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "4, 25%, 25%, 1, 1",
        "3, 25%, 25%, 1, 0",
        "1, 25%, 25%, 1, 0",
        "10, 1, 50%, 1, 5",
        "2, 0, 0, 0, 1",
        "2, 0%, 10%, 0, 1",
        "2, 0, 5, 0, 2",
        "0, 25%, 25%, 0, 0"
    })
    void surgesAreRoundedUpAndWhatIsUnavailableDown(
            int replicas, String surge, String unavailable, long maxSurge, long maxUnavailable) {
        assertThat(limits(replicas, surge, unavailable))
                .isEqualTo(new RollingUpdate(replicas, maxSurge, maxUnavailable));
    }

    @ParameterizedTest
    @CsvSource({
        // wanted, surge, unavailable | new: replicas, available | old: replicas, available | next
        "3, 1, 0, 0, 0, 3, 3, {new=1}",
        "3, 1, 0, 1, 0, 3, 3, {}",
        "3, 1, 0, 1, 1, 3, 3, {old=2}",
        "3, 1, 0, 1, 1, 2, 2, {new=2}",
        "4, 0, 1, 0, 0, 4, 4, {old=3}",
        "4, 0, 1, 0, 0, 3, 3, {new=1}",
        "4, 0, 1, 1, 0, 3, 3, {}",
        "4, 2, 2, 2, 0, 4, 4, {old=2}",
        "4, 2, 2, 4, 0, 2, 2, {}",
        "4, 1, 0, 1, 0, 4, 1, {}",
        "4, 0, 2, 0, 0, 4, 1, {old=2}",
        "3, 1, 1, 5, 5, 0, 0, {new=3}",
        "3, 1, 1, 3, 3, 2, 2, {old=0}",
    })
    void takesTheNextStep(
            long wanted,
            long surge,
            long unavailable,
            long replicas,
            long available,
            long old,
            long oldAvailable,
            String next) {
        RollingUpdate limits = new RollingUpdate(wanted, surge, unavailable);
        Map<String, Long> sizes = limits.next(set("new", replicas, available), List.of(set("old", old, oldAvailable)));
        assertThat(new TreeMap<>(sizes)).hasToString(next);
    }

    @Test
    void theOldestLosesItsPodsFirstAndThoseThatAreNotAvailableBefore() {
        RollingUpdate limits = new RollingUpdate(4, 0, 2);
        assertThat(limits.next(set("new", 0, 0), List.of(set("b", 2, 1), set("a", 2, 2))))
                .isEqualTo(Map.of("b", 1L, "a", 1L));
    }

    /** Each change of a size, and each pod that becomes available, keeps the limits; in the end all pods are new. */
    @Test
    void everyRolloutKeepsItsLimitsAndEnds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            long wanted = random.nextInt(1, 12);
            RollingUpdate drawn = limits(
                    (int) wanted, random.nextInt(101) + "%", random.nextBoolean() ? "0" : random.nextInt(101) + "%");
            assertThat(rollOut(drawn, random))
                    .as("seed %d, round %d, %s", seed, round, drawn)
                    .isTrue();
        }
    }

    private static boolean rollOut(RollingUpdate limits, Random random) {
        ReplicaSetSize newest = set("new", 0, 0);
        ReplicaSetSize old = set("old", limits.wanted(), limits.wanted());
        for (int step = 0; step < 200; step++) {
            Map<String, Long> sizes = limits.next(newest, List.of(old));
            newest = newest.resized(sizes.getOrDefault("new", newest.replicas()));
            long left = sizes.getOrDefault("old", old.replicas());
            old = set("old", left, Math.min(old.available(), left));
            assertThat(newest.replicas() + old.replicas()).isLessThanOrEqualTo(limits.maxTotal());
            assertThat(newest.available() + old.available()).isGreaterThanOrEqualTo(limits.minAvailable());
            if (random.nextBoolean() && newest.available() < newest.replicas()) {
                newest = set("new", newest.replicas(), newest.available() + 1);
            }
            if (newest.available() == limits.wanted() && old.replicas() == 0) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @CsvSource({
        // wanted, surge | new, old (both scaled for 10 with surge 3) | new, old
        "20, 6, 5, 8, 10, 16",
        "5, 2, 5, 8, 3, 4",
        "0, 0, 5, 8, 0, 0",
        "10, 3, 5, 8, 5, 8",
    })
    void aChangeInTheMiddleOfARolloutIsDivided(
            long wanted, long surge, long newest, long old, long newestAfter, long oldAfter) {
        Map<String, Long> sizes = RollingUpdate.proportionalSizes(
                new RollingUpdate(wanted, surge, 0),
                true,
                Optional.of(new ReplicaSetSize("new", "2", newest, 0, 13)),
                List.of(new ReplicaSetSize("old", "1", old, old, 13)));
        assertThat(sizes).isEqualTo(Map.of("new", newestAfter, "old", oldAfter));
    }

    @Test
    void aSingleSetWithPodsGetsTheWholeChange() {
        List<ReplicaSetSize> old = new ArrayList<>(List.of(set("a", 0, 0), set("b", 2, 2)));
        assertThat(RollingUpdate.proportionalSizes(new RollingUpdate(5, 1, 0), true, Optional.empty(), old))
                .isEqualTo(Map.of("b", 5L));
        old.removeLast();
        assertThat(RollingUpdate.proportionalSizes(
                        new RollingUpdate(5, 1, 0), true, Optional.of(set("new", 0, 0)), old))
                .isEqualTo(Map.of("new", 5L));
    }
}
