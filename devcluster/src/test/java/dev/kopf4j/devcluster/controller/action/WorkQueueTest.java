package dev.kopf4j.devcluster.controller.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.conformance.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private final VirtualTime time = new VirtualTime();
    private final List<String> done = new ArrayList<>();
    private final WorkQueue queue = new WorkQueue(time, time, item -> false, item -> done.add(item.name()));

    private static WorkItem pod(String name) {
        return new WorkItem(WorkloadKind.POD, "default", name);
    }

    @Test
    void whatWaitsIsTakenOnceAndInOrder() {
        queue.add(pod("b"));
        queue.add(pod("a"));
        queue.add(pod("b"));
        time.settle();
        assertThat(done).containsExactly("b", "a");
        queue.add(pod("b"));
        time.settle();
        assertThat(done).containsExactly("b", "a", "b");
    }

    @Test
    void theEarliestTimeCounts() {
        queue.addAt(pod("a"), time.instant().plusSeconds(10));
        queue.addAt(pod("a"), time.instant().plusSeconds(5));
        queue.addAt(pod("a"), time.instant().plusSeconds(7));
        time.advance(Duration.ofMillis(4_999));
        assertThat(done).isEmpty();
        time.advance(Duration.ofMillis(2));
        assertThat(done).containsExactly("a");
        time.advance(Duration.ofSeconds(20));
        assertThat(done).containsExactly("a");
    }

    @Test
    void whatFailsBeforeItsWorkIsTakenAgain() {
        AtomicBoolean fails = new AtomicBoolean(true);
        Predicate<WorkItem> mayWait = item -> {
            if (fails.getAndSet(false)) {
                throw new IllegalStateException("not known");
            }
            return false;
        };
        WorkQueue failing = new WorkQueue(time, time, mayWait, item -> done.add(item.name()));
        failing.add(pod("a"));
        assertThatThrownBy(time::settle).hasMessage("not known");
        failing.add(pod("a"));
        time.settle();
        assertThat(done).containsExactly("a");
    }

    @Test
    void aPastTimeIsNow() {
        queue.addAt(pod("a"), time.instant().minusSeconds(1));
        time.settle();
        assertThat(done).containsExactly("a");
    }
}
