package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@link LockMonitor} with real threads: whoever waits is woken, and never too late. */
@Timeout(60)
class LockMonitorTest {
    private final Platform platform = new SystemPlatform();
    private final Monitor monitor = new LockMonitor(platform);
    private boolean open;

    private Task waiter(AtomicReference<Object> end) {
        return platform.spawn("waiter", () -> {
            try {
                end.set(monitor.awaitTrue(() -> open, Deadline.NEVER));
            } catch (InterruptedException e) {
                end.set(e);
            }
        });
    }

    private void open() {
        monitor.locked(() -> {
            open = true;
        });
    }

    private static void eventually(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    /** In the list of those that wait: it has let go of the lock. */
    private static boolean isParked(Task task) {
        return List.of(task.stack()).toString().contains("awaitSections")
                && List.of(task.stack()).toString().contains("park");
    }

    @Test
    void whoeverWaitsLooksAgainAfterEachSection() throws InterruptedException {
        AtomicReference<Object> first = new AtomicReference<>();
        AtomicReference<Object> second = new AtomicReference<>();
        List<Task> waiting = List.of(waiter(first), waiter(second));
        eventually(() -> waiting.stream().allMatch(LockMonitorTest::isParked));
        monitor.locked(() -> {});
        eventually(() -> waiting.stream().allMatch(LockMonitorTest::isParked));
        open();
        for (Task each : waiting) {
            assertThat(each.join(Deadline.NEVER)).isTrue();
        }
        assertThat(first).hasValue(true);
        assertThat(second).hasValue(true);
    }

    @Test
    void whatSomebodyTakesInAnAttemptIsSeenByTheOthers() throws InterruptedException {
        AtomicReference<Object> end = new AtomicReference<>();
        Task waiting = waiter(end);
        eventually(() -> isParked(waiting));
        var _ = monitor.await(
                () -> {
                    open = true;
                    return Optional.of(1);
                },
                Deadline.NEVER);
        assertThat(waiting.join(Deadline.NEVER)).isTrue();
        assertThat(end).hasValue(true);
    }

    @Test
    void waitingEndsAtTheDeadlineAndNotBefore() throws InterruptedException {
        long begun = platform.nanos();
        assertThat(monitor.awaitTrue(() -> open, platform.after(Duration.ofMillis(20))))
                .isFalse();
        assertThat(platform.nanos() - begun).isGreaterThanOrEqualTo(20_000_000);
        assertThat(monitor.awaitTrue(() -> true, platform.after(Duration.ZERO))).isTrue();
    }

    @Test
    void anInterruptEndsTheWaitingOfOneAlone() throws InterruptedException {
        AtomicReference<Object> first = new AtomicReference<>();
        AtomicReference<Object> second = new AtomicReference<>();
        AtomicReference<Object> third = new AtomicReference<>();
        List<Task> waiting = List.of(waiter(first), waiter(second), waiter(third));
        eventually(() -> waiting.stream().allMatch(LockMonitorTest::isParked));
        waiting.get(1).interrupt();
        assertThat(waiting.get(1).join(Deadline.NEVER)).isTrue();
        assertThat(second.get()).isInstanceOf(InterruptedException.class);
        assertThat(first).hasNullValue();
        open();
        assertThat(waiting.get(0).join(Deadline.NEVER)).isTrue();
        assertThat(waiting.get(2).join(Deadline.NEVER)).isTrue();
        assertThat(first).hasValue(true);
        assertThat(third).hasValue(true);
    }

    @Test
    void whoIsInterruptedBeforeDoesNotWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> monitor.awaitTrue(() -> true, Deadline.NEVER))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatFailsUnderTheLockLetsGoOfIt() throws InterruptedException {
        AtomicReference<Object> end = new AtomicReference<>();
        Task waiting = waiter(end);
        eventually(() -> isParked(waiting));
        Runnable failing = () -> {
            open = true;
            throw new IllegalStateException("no");
        };
        assertThatThrownBy(() -> monitor.locked(failing)).hasMessage("no");
        assertThat(waiting.join(Deadline.NEVER)).isTrue();
        assertThat(end).hasValue(true);
    }

    /** Givers and takers around a place for one thing: a wake-up that is lost lets all of them stand still. */
    @Test
    void noWakeUpIsLostInACrowd() throws InterruptedException {
        int pairs = 8;
        int things = 2_000;
        Deque<Integer> place = new ArrayDeque<>();
        AtomicLong taken = new AtomicLong();
        List<Task> tasks = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            tasks.add(platform.spawn("giver", () -> {
                for (int thing = 1; thing <= things; thing++) {
                    int given = thing;
                    take(() -> place.isEmpty() && place.add(given) ? Optional.of(given) : Optional.empty());
                }
            }));
            tasks.add(platform.spawn("taker", () -> {
                for (int thing = 1; thing <= things; thing++) {
                    taken.addAndGet(take(() -> Optional.ofNullable(place.poll())));
                }
            }));
        }
        for (Task each : tasks) {
            assertThat(each.join(Deadline.NEVER)).isTrue();
        }
        assertThat(taken).hasValue((long) pairs * things * (things + 1) / 2);
        assertThat(place).isEmpty();
    }

    /** First with a deadline that comes at once, or nearly so: whoever gives up must not take a wake-up along. */
    private int take(Supplier<Optional<Integer>> attempt) {
        try {
            Optional<Integer> quick = monitor.await(attempt, platform.after(Duration.ofNanos(20_000)));
            if (quick.isPresent()) {
                return quick.get();
            }
            return monitor.await(attempt, Deadline.NEVER).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
