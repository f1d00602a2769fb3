package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SystemMonitorTest {
    private final SystemPlatform platform = new SystemPlatform();
    private final Monitor monitor = platform.monitor();

    /** Guarded by the monitor. */
    private final List<Thread> attemptsBy = new ArrayList<>();

    private int permits;

    private Optional<String> takePermit() {
        attemptsBy.add(Thread.currentThread());
        if (permits == 0) {
            return Optional.empty();
        }
        permits--;
        return Optional.of("taken");
    }

    /** A thread in which the attempt was made, and which waits now. */
    private final class Waiting {
        final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
        final CompletableFuture<Boolean> interruptedAfter = new CompletableFuture<>();
        final Thread thread;

        Waiting(Supplier<Optional<String>> attempt, Deadline deadline) {
            int before = monitor.locked(attemptsBy::size);
            thread = Thread.ofVirtual().start(() -> {
                try {
                    ended.complete(monitor.await(attempt, deadline));
                } catch (InterruptedException e) {
                    ended.completeExceptionally(e);
                }
                interruptedAfter.complete(Thread.currentThread().isInterrupted());
            });
            while (monitor.locked(attemptsBy::size) == before) {
                Thread.onSpinWait();
            }
        }
    }

    /** Whoever starts an operator within a web request must not be the user of all its handlers. */
    @Test
    void tasksInheritTheClassLoaderButNoValuesOfTheThread() throws Exception {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
        try (URLClassLoader own = new URLClassLoader(new URL[0])) {
            Thread starter = Thread.ofPlatform().start(() -> {
                user.set("jane");
                Thread.currentThread().setContextClassLoader(own);
                platform.spawn("task", () -> {
                    seen.complete("user " + user.get());
                    loader.complete(Thread.currentThread().getContextClassLoader());
                });
            });
            starter.join();
            assertThat(seen.get()).isEqualTo("user null");
            assertThat(loader.get()).isEqualTo(own);
        }
    }

    @Test
    void wakesNobodyInVain() {
        Waiting waiting = new Waiting(this::takePermit, Deadline.NEVER);

        for (int i = 0; i < 100; i++) {
            monitor.locked(() -> {});
        }
        monitor.locked(() -> {
            permits = 1;
        });

        assertThat(waiting.ended.join()).contains("taken");
        assertThat(attemptsBy.stream().filter(waiting.thread::equals)).hasSize(1);
        assertThat(attemptsBy).hasSizeGreaterThan(100);
        assertThat(permits).isZero();
    }

    @Test
    void givesOnePermitToOneOfTwo() {
        Waiting first = new Waiting(this::takePermit, Deadline.NEVER);
        Waiting second = new Waiting(this::takePermit, Deadline.NEVER);

        monitor.locked(() -> {
            permits = 1;
        });
        assertThat(first.ended.join()).contains("taken");
        assertThat(second.ended.isDone()).isFalse();

        monitor.locked(() -> {
            permits = 1;
        });
        assertThat(second.ended.join()).contains("taken");
    }

    @Test
    void letsOneSuccessLeadToTheNext() {
        Waiting last = new Waiting(() -> passOn(1, 0), Deadline.NEVER);
        Waiting first = new Waiting(() -> passOn(2, 1), Deadline.NEVER);

        monitor.locked(() -> {
            permits = 2;
        });

        assertThat(first.ended.join()).contains("passed on");
        assertThat(last.ended.join()).contains("passed on");
    }

    private Optional<String> passOn(int from, int to) {
        attemptsBy.add(Thread.currentThread());
        if (permits != from) {
            return Optional.empty();
        }
        permits = to;
        return Optional.of("passed on");
    }

    @Test
    void makesTheAttemptOnceMoreAtTheDeadline() throws InterruptedException {
        Deadline soon = platform.after(Duration.ofMillis(20));

        Optional<String> seen =
                monitor.await(() -> soon.hasPassed(platform) ? Optional.of("late") : Optional.empty(), soon);

        assertThat(seen).contains("late");
    }

    @Test
    void comesBackEmptyAtTheDeadline() throws InterruptedException {
        assertThat(monitor.await(this::takePermit, platform.after(Duration.ofMillis(20))))
                .isEmpty();
        assertThat(monitor.await(this::takePermit, platform.after(Duration.ZERO)))
                .isEmpty();
    }

    @Test
    void forgetsWhoeverWasInterrupted() {
        Waiting waiting = new Waiting(this::takePermit, Deadline.NEVER);

        waiting.thread.interrupt();

        assertThat(waiting.ended).failsWithin(Duration.ofSeconds(10));
        monitor.locked(() -> {
            permits = 1;
        });
        assertThat(permits).isEqualTo(1);
    }

    @Test
    void losesNoSuccessThatAnInterruptionMeets() {
        Waiting waiting = new Waiting(this::takePermit, Deadline.NEVER);

        monitor.locked(() -> {
            permits = 1;
            waiting.thread.interrupt();
        });

        assertThat(waiting.ended.join()).contains("taken");
        assertThat(waiting.interruptedAfter.join()).isTrue();
    }
}
