package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SimulatedPlatformTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SimulatedPlatform platform = new SimulatedPlatform(1, START);

    @Test
    void clockMovesOnlyWhenAllTasksWait() {
        List<Instant> seen = new ArrayList<>();
        platform.spawn("sleeper", () -> {
            sleep(platform, Duration.ofHours(24));
            seen.add(platform.now());
        });
        platform.runFor(Duration.ofDays(2));
        assertThat(seen).containsExactly(START.plus(Duration.ofDays(1)));
    }

    @Test
    void aLongTimeHasAnyNumberOfSteps() {
        AtomicInteger beats = new AtomicInteger();
        platform.spawn("heart", () -> {
            while (true) {
                sleep(platform, Duration.ofSeconds(1));
                beats.incrementAndGet();
            }
        });
        platform.runFor(Duration.ofDays(7));
        assertThat(beats).hasValueGreaterThan(600_000);
    }

    @Test
    void sameSeedGivesTheSameOrder() {
        assertThat(orderOf(7)).isEqualTo(orderOf(7));
        assertThat(List.of(orderOf(1), orderOf(2), orderOf(3), orderOf(4)))
                .as("different seeds differ somewhere")
                .anyMatch(order -> !order.equals(orderOf(1)));
    }

    private static List<Integer> orderOf(long seed) {
        SimulatedPlatform world = new SimulatedPlatform(seed, START);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            world.spawn("t" + i, () -> {
                sleep(world, Duration.ofSeconds(1));
                order.add(number);
            });
        }
        world.runFor(Duration.ofSeconds(2));
        assertThat(order).hasSize(8);
        return order;
    }

    @Test
    void aSuspendedMachineGoesOnWhereItWas() {
        SimulatedPlatform suspended = platform.machine("suspended");
        List<String> seen = new ArrayList<>();
        for (SimulatedPlatform machine : List.of(suspended, platform.machine("other"))) {
            String name = machine == suspended ? "suspended" : "other";
            machine.spawn("worker", () -> {
                for (int i = 0; i < 3; i++) {
                    sleep(machine, Duration.ofSeconds(1));
                    seen.add(name + " " + Duration.between(START, machine.now()).toMillis());
                }
            });
        }
        platform.runFor(Duration.ofMillis(1500));
        suspended.suspend(Duration.ofSeconds(5));
        suspended.spawn("new", () -> seen.add("new " + suspended.now()));
        platform.runFor(Duration.ofMillis(4900));
        assertThat(seen)
                .doesNotContain("suspended 2000")
                .contains("suspended 1000", "other 3000")
                .hasSize(4);
        platform.runFor(Duration.ofSeconds(5));
        assertThat(seen)
                .contains("suspended 6500", "suspended 7500", "new 2026-01-01T00:00:06.500Z")
                .hasSize(7);
    }

    @Test
    void aSuspensionEndsEarlyOrByAKill() {
        SimulatedPlatform machine = platform.machine("suspended");
        List<Instant> seen = new ArrayList<>();
        Task first = machine.spawn("first", () -> seen.add(machine.now()));
        machine.suspend(Duration.ofHours(1));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(seen).isEmpty();
        machine.suspend(Duration.ZERO);
        platform.runFor(Duration.ofSeconds(10));
        assertThat(seen).containsExactly(START.plusSeconds(10));
        assertThat(first.isFinished()).isTrue();

        Task killed = machine.spawn("killed", () -> sleep(machine, Duration.ofHours(1)));
        machine.suspend(Duration.ofHours(1));
        machine.kill();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(killed.isFinished()).isTrue();
    }

    @Test
    void wakesTheWaiterWhenTheConditionComesTrue() {
        Monitor monitor = platform.monitor();
        AtomicInteger value = new AtomicInteger();
        AtomicBoolean seen = new AtomicBoolean();
        platform.spawn("waiter", () -> seen.set(awaitQuietly(monitor, value)));
        platform.spawn("setter", () -> monitor.locked(() -> value.set(1)));
        assertThat(platform.runUntil(seen::get, Duration.ofSeconds(1))).isTrue();
        assertThat(platform.now()).isEqualTo(START);
    }

    private static boolean awaitQuietly(Monitor monitor, AtomicInteger value) {
        try {
            return monitor.awaitTrue(() -> value.get() == 1, Deadline.NEVER);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void interruptEndsTheWait() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Task task = platform.spawn("sleeper", () -> {
            try {
                platform.sleep(Duration.ofDays(1));
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        platform.runFor(Duration.ofSeconds(1));
        task.interrupt();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(interrupted).isTrue();
        assertThat(task.isFinished()).isTrue();
    }

    @Test
    void killedMachineRunsNoFurther() {
        SimulatedPlatform machine = platform.machine("operator");
        AtomicInteger steps = new AtomicInteger();
        Task task = machine.spawn("stepper", () -> {
            while (true) {
                sleep(machine, Duration.ofSeconds(1));
                steps.incrementAndGet();
            }
        });
        platform.runFor(Duration.ofMillis(3500));
        machine.kill();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(steps).hasValue(3);
        assertThat(task.isFinished()).isTrue();
    }

    @Test
    void failureOfATaskFailsTheRun() {
        platform.spawn("bad", () -> {
            throw new IllegalStateException("boom");
        });
        assertThatThrownBy(() -> platform.runFor(Duration.ofSeconds(1))).hasRootCauseMessage("boom");
    }

    @Test
    void scheduleRunsEntriesInOrderOfTime() {
        List<String> order = new ArrayList<>();
        ActionSchedule actionSchedule = new ActionSchedule(platform, "schedule");
        actionSchedule.after(Duration.ofSeconds(3), () -> order.add("c@" + seconds()));
        actionSchedule.after(Duration.ofSeconds(1), () -> order.add("a@" + seconds()));
        ScheduledAction cancelled = actionSchedule.after(Duration.ofSeconds(2), () -> order.add("never"));
        platform.runFor(Duration.ofMillis(500));
        cancelled.cancel();
        actionSchedule.after(Duration.ofMillis(1500), () -> order.add("b@" + seconds()));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(order).containsExactly("a@1", "b@2", "c@3");
        actionSchedule.close();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(platform.describeTasks()).isEmpty();
    }

    @Test
    void limitLetsOnlySoManyInAtATime() {
        ConcurrencyLimit concurrencyLimit = new ConcurrencyLimit(platform, 2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            platform.spawn("t" + i, () -> {
                acquire(concurrencyLimit);
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                sleep(platform, Duration.ofSeconds(1));
                inside.decrementAndGet();
                concurrencyLimit.release();
            });
        }
        platform.runFor(Duration.ofMinutes(1));
        assertThat(most).hasValue(2);
        assertThat(platform.now()).isAfterOrEqualTo(START.plusSeconds(5));
        assertThat(platform.describeTasks()).isEmpty();
    }

    private interface Asking {
        boolean acquire(ConcurrencyLimit concurrencyLimit, Deadline deadline) throws InterruptedException;
    }

    @Test
    void limitGivesPermitsInTheOrderOfAskingAndLosesNoneToThoseWhoGaveUp() {
        permitsInTheOrderOfAsking(ConcurrencyLimit::acquire);
    }

    @Test
    void limitDoesSoForThoseWhoShareAScheduleOfTheirDeadlines() {
        ActionSchedule deadlines = new ActionSchedule(platform, "deadlines");
        permitsInTheOrderOfAsking((concurrencyLimit, deadline) -> concurrencyLimit.acquire(deadline, deadlines));
        assertThat(deadlines.size()).isZero();
        deadlines.close();
    }

    private void permitsInTheOrderOfAsking(Asking asking) {
        ConcurrencyLimit concurrencyLimit = new ConcurrencyLimit(platform, 1);
        acquireAsDriver(concurrencyLimit);
        List<String> order = new ArrayList<>();
        Task first = spawnAsking(concurrencyLimit, asking, Deadline.NEVER, "first", order);
        spawnAsking(concurrencyLimit, asking, platform.after(Duration.ofSeconds(2)), "impatient", order);
        spawnAsking(concurrencyLimit, asking, Deadline.NEVER, "last", order);
        platform.runFor(Duration.ofSeconds(1));
        first.interrupt();
        platform.runFor(Duration.ofSeconds(5));
        assertThat(order).containsExactly("first interrupted", "impatient gave up");
        concurrencyLimit.release();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(order).last().isEqualTo("last");
        acquireAsDriver(concurrencyLimit);
    }

    private Task spawnAsking(
            ConcurrencyLimit concurrencyLimit, Asking asking, Deadline deadline, String name, List<String> order) {
        Task task = platform.spawn(name, () -> {
            try {
                boolean got = asking.acquire(concurrencyLimit, deadline);
                order.add(got ? name : name + " gave up");
                if (got) {
                    concurrencyLimit.release();
                }
            } catch (InterruptedException e) {
                order.add(name + " interrupted");
            }
        });
        // One after the other, whatever the seed.
        platform.runFor(Duration.ofMillis(1));
        return task;
    }

    private void acquireAsDriver(ConcurrencyLimit concurrencyLimit) {
        List<Boolean> taken = new ArrayList<>();
        platform.spawn("driver", () -> {
            acquire(concurrencyLimit);
            taken.add(true);
        });
        platform.runFor(Duration.ofMillis(1));
        assertThat(taken).containsExactly(true);
    }

    private long seconds() {
        return Duration.between(START, platform.now()).toSeconds();
    }

    private static void acquire(ConcurrencyLimit concurrencyLimit) {
        try {
            assertThat(concurrencyLimit.acquire(Deadline.NEVER)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sleep(Platform platform, Duration duration) {
        try {
            platform.sleep(duration);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWorldThatHasEndedLeavesNoThreads() throws InterruptedException {
        SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
        List<Thread> threads = new ArrayList<>();
        List<String> last = new ArrayList<>();
        Runnable waitsForEver = () -> {
            threads.add(Thread.currentThread());
            try {
                world.monitor().awaitTrue(() -> false, Deadline.NEVER);
            } catch (InterruptedException e) {
                last.add("interrupted");
            } finally {
                last.add("cleans up");
                world.spawn("too late", () -> last.add("has run"));
            }
        };
        world.spawn("one", waitsForEver);
        world.machine("other").spawn("two", waitsForEver);
        world.runFor(Duration.ofSeconds(1));
        world.spawn("never started", () -> last.add("has run"));
        world.end();
        world.end();
        for (Thread thread : threads) {
            thread.join(5000);
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(threads).hasSize(2);
        assertThat(last).containsExactly("cleans up", "cleans up");
        assertThat(world.describeTasks()).isEmpty();
    }

    @Test
    void anInterruptOfWhoDrivesEndsTheRun() {
        SimulatedPlatform world = new SimulatedPlatform(1, Instant.EPOCH);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> world.runFor(Duration.ofDays(60)))
                    .isInstanceOf(SimulatedPlatform.InterruptedRunException.class)
                    .hasMessage("the simulation was interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** What goes on in threads of nobody keeps all processors: the task that waits for one is not to blame. */
    @Test
    void aTaskThatGetsNoProcessorAfterItsWaitIsToldAsSuch() throws InterruptedException {
        SimulatedPlatform world = new SimulatedPlatform(1, START);
        world.busyLimit(Duration.ofMillis(500));
        world.spawn("waits", () -> {
            while (true) {
                sleep(world, Duration.ofSeconds(1));
            }
        });
        world.runFor(Duration.ofSeconds(3));
        int processors = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        CountDownLatch spinning = new CountDownLatch(processors);
        AtomicBoolean over = new AtomicBoolean();
        for (int i = 0; i < processors; i++) {
            Thread.ofVirtual().start(() -> {
                spinning.countDown();
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            spinning.await();
            assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(3)))
                    .hasMessageContaining("the simulated task 'main/waits' was given no processor for 500ms: ");
        } finally {
            over.set(true);
        }
    }
}
