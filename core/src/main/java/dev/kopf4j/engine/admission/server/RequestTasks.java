package dev.kopf4j.engine.admission.server;

import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/** Gives each request a task of its own, and each task a guard. Thread-safe. */
final class RequestTasks implements Executor, AutoCloseable {
    /** The guard of the request of this task. */
    static final ScopedValue<RequestGuard> GUARD = ScopedValue.newInstance();

    private static final Duration CHECKED_EVERY = Duration.ofSeconds(1);
    private final Platform platform;
    private final Monitor monitor;
    private final Task checks;

    // Guarded by the monitor.
    private final Set<RequestGuard> guards = new HashSet<>();

    RequestTasks(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
        this.checks = platform.spawn("webhook deadlines", this::check);
    }

    @Override
    public void execute(Runnable request) {
        platform.spawn("webhook request", () -> run(request));
    }

    private void run(Runnable request) {
        RequestGuard guard = new RequestGuard(platform, Thread.currentThread());
        monitor.locked(() -> {
            guards.add(guard);
        });
        try {
            ScopedValue.where(GUARD, guard).run(request);
        } finally {
            monitor.locked(() -> {
                guards.remove(guard);
            });
        }
    }

    private void check() {
        try {
            while (true) {
                platform.sleep(CHECKED_EVERY);
                List<RequestGuard> all = monitor.locked(() -> List.copyOf(guards));
                all.forEach(RequestGuard::check);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server ends
        }
    }

    /**
     * Waits until all requests have ended.
     *
     * @return false if that has taken too long
     */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return monitor.awaitTrue(guards::isEmpty, platform.after(timeout));
    }

    @Override
    public void close() {
        checks.interrupt();
    }
}
