package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.queueing.SharedQueue.WorkPriority;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link SharedQueue}: items like {@code a1} are of the group {@code a}. */
class SharedQueueTest {
    private static final List<WorkPriority> PRIORITIES = List.of(WorkPriority.values());

    private final SharedQueue<String> queue = new SharedQueue<>(item -> item.substring(0, 1), 2);

    private void add(String... items) {
        for (String item : items) {
            queue.add(item, WorkPriority.CHANGE, 0);
        }
    }

    @Test
    @Tag("M64")
    void itemsOfAFullGroupLetOthersPass() {
        add("a1", "a2", "a3", "b1", "b2", "b3");
        assertThat(queue.poll()).isEqualTo("a1");
        assertThat(queue.poll()).isEqualTo("a2");
        assertThat(queue.poll()).isEqualTo("b1");
        assertThat(queue.poll()).isEqualTo("b2");
        assertThat(queue.poll()).isNull();
        queue.end("a1");
        assertThat(queue.poll()).isEqualTo("a3");
        assertThat(queue.poll()).isNull();
    }

    @Test
    void urgentItemsOfAFullGroupWaitToo() {
        add("a1", "a2");
        assertThat(queue.poll()).isEqualTo("a1");
        assertThat(queue.poll()).isEqualTo("a2");
        queue.add("a3", WorkPriority.DELETION, 1);
        queue.add("b1", WorkPriority.LISTED, 1);
        assertThat(queue.poll()).isEqualTo("b1");
        assertThat(queue.hasRoomFor("a4")).isFalse();
        assertThat(queue.hasRoomFor("b2")).isTrue();
    }

    @Test
    void theMostUrgentGroupIsFirst() {
        queue.add("a1", WorkPriority.LISTED, 0);
        queue.add("b1", WorkPriority.LISTED, 1);
        queue.raise("b1", WorkPriority.CHANGE, 2);
        assertThat(queue.poll()).isEqualTo("b1");
    }

    @Test
    void withoutALimitAllItemsAreOfOneQueue() {
        SharedQueue<String> all = new SharedQueue<>(item -> item.substring(0, 1), null);
        for (int number = 0; number < 100; number++) {
            all.add("a" + number, WorkPriority.CHANGE, 0);
        }
        for (int number = 0; number < 100; number++) {
            assertThat(all.poll()).isEqualTo("a" + number);
        }
    }

    @Test
    void droppedItemsAreNotServed() {
        add("a1", "a2", "a3");
        assertThat(queue.poll()).isEqualTo("a1");
        assertThat(queue.drop()).isEqualTo("a2");
        assertThat(queue.drop()).isEqualTo("a3");
        assertThat(queue.drop()).isNull();
        add("a4", "a5");
        assertThat(queue.poll()).as("one of two is served").isEqualTo("a4");
        assertThat(queue.poll()).isNull();
    }

    @Test
    @Tag("M64")
    void eachItemIsServedOnceAndNoGroupHasMoreThanItMayHave() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, Integer> served = new HashMap<>();
        Deque<String> now = new ArrayDeque<>();
        Set<String> waiting = new HashSet<>();
        for (int step = 0; step < 5000; step++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    String item = (char) ('a' + random.nextInt(5)) + "" + step;
                    waiting.add(item);
                    queue.add(item, PRIORITIES.get(random.nextInt(PRIORITIES.size())), step * 1_000_000L);
                }
                case 1 -> {
                    @Nullable String item = queue.poll();
                    boolean some = waiting.stream().anyMatch(each -> served.getOrDefault(each.substring(0, 1), 0) < 2);
                    assertThat(item != null).as("seed %d, step %d", seed, step).isEqualTo(some);
                    if (item != null) {
                        assertThat(waiting.remove(item))
                                .as("seed %d, %s", seed, item)
                                .isTrue();
                        assertThat(served.merge(item.substring(0, 1), 1, Integer::sum))
                                .as("seed " + seed)
                                .isLessThanOrEqualTo(2);
                        now.add(item);
                    }
                }
                default -> {
                    @Nullable String item = now.poll();
                    if (item != null) {
                        served.merge(item.substring(0, 1), -1, Integer::sum);
                        queue.end(item);
                    }
                }
            }
        }
    }
}
