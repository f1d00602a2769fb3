package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.queueing.SharedQueue.AgeingQueue;
import dev.kopf4j.engine.queueing.SharedQueue.WorkPriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link AgeingQueue} and {@link WorkPriority}: which of two waiting items is served first. */
class AgeingQueueTest {
    private final AgeingQueue<String> queue = new AgeingQueue<>();

    private static long at(long millis) {
        // Readings of the clock mean nothing by themselves, and may overflow.
        return Long.MAX_VALUE - 5_000_000_000L + Duration.ofMillis(millis).toNanos();
    }

    private List<String> served() {
        List<String> served = new ArrayList<>();
        for (@Nullable String item = queue.poll(); item != null; item = queue.poll()) {
            served.add(item);
        }
        return served;
    }

    @ParameterizedTest(name = "{0}, {2} ms later {1}: {3} is first")
    @Tag("M60")
    @CsvSource({
        "LISTED,     CHANGE,     0,     CHANGE",
        "LISTED,     CHANGE,     8999,  CHANGE",
        "LISTED,     CHANGE,     9001,  LISTED",
        "LISTED,     DELETION,   9999,  DELETION",
        "LISTED,     DELETION,   10001, LISTED",
        "LISTED,     RETRY,      6999,  RETRY",
        "LISTED,     RETRY,      7001,  LISTED",
        "LISTED,     BACKGROUND, 4999,  BACKGROUND",
        "BACKGROUND, RETRY,      1999,  RETRY",
        "BACKGROUND, RETRY,      2001,  BACKGROUND",
        "RETRY,      CHILD,      999,   CHILD",
        "RETRY,      CHANGE,     1999,  CHANGE",
        "RETRY,      CHANGE,     2001,  RETRY",
        "CHILD,      CHANGE,     999,   CHANGE",
        "CHILD,      CHANGE,     1001,  CHILD",
        "CHANGE,     DELETION,   999,   DELETION",
        "CHANGE,     DELETION,   1001,  CHANGE",
        "DELETION,   CHANGE,     0,     DELETION",
        "DELETION,   LISTED,     0,     DELETION",
    })
    void urgentWorkOvertakesForABoundedTime(WorkPriority first, WorkPriority later, long millis, WorkPriority served) {
        queue.add(first.name(), first, at(0));
        queue.add(later.name(), later, at(millis));

        assertThat(queue.poll()).isEqualTo(served.name());
    }

    @Test
    @Tag("M60")
    void nothingGivesWayForMoreThanTenSeconds() {
        for (WorkPriority priority : WorkPriority.values()) {
            assertThat(priority.givesWay()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void itemsOfOneClassKeepTheirOrder() {
        List.of("a", "b", "c").forEach(item -> queue.add(item, WorkPriority.CHANGE, at(0)));

        assertThat(served()).containsExactly("a", "b", "c");
    }

    @Test
    @Tag("M61")
    void aWaitingItemMovesUp() {
        queue.add("a", WorkPriority.LISTED, at(0));
        queue.add("b", WorkPriority.LISTED, at(0));
        queue.add("c", WorkPriority.CHANGE, at(1));
        queue.raise("b", WorkPriority.CHANGE, at(2));

        assertThat(served()).containsExactly("c", "b", "a");
    }

    @Test
    void anItemThatIsNearlyDueKeepsItsPlace() {
        queue.add("a", WorkPriority.LISTED, at(0));
        queue.add("b", WorkPriority.LISTED, at(1));
        queue.raise("a", WorkPriority.CHANGE, at(9500));

        assertThat(served()).containsExactly("a", "b");
    }

    @Test
    void nobodyMovesUpWhoDoesNotWait() {
        queue.raise("a", WorkPriority.DELETION, at(0));

        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    private record Item(int number, WorkPriority priority, long addedAt) {}

    @Test
    @Tag("M60")
    void nobodyIsOvertakenByWhatComesTenSecondsLater() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        AgeingQueue<Item> items = new AgeingQueue<>();
        List<Item> served = new ArrayList<>();
        // More comes than is served.
        for (int number = 0; number < 2000; number++) {
            long now = number * 20L;
            WorkPriority[] all = WorkPriority.values();
            WorkPriority priority = all[random.nextInt(all.length)];
            items.add(new Item(number, priority, now), priority, at(now));
            if (random.nextInt(3) > 0) {
                served.add(Objects.requireNonNull(items.poll()));
            }
        }
        for (@Nullable Item item = items.poll(); item != null; item = items.poll()) {
            served.add(item);
        }
        assertThat(served).as("seed " + seed).hasSize(2000).doesNotHaveDuplicates();
        long latest = 0;
        for (Item item : served) {
            assertThat(latest - item.addedAt()).as("seed %d, %s", seed, item).isLessThanOrEqualTo(10_000);
            latest = Math.max(latest, item.addedAt());
        }
    }
}
