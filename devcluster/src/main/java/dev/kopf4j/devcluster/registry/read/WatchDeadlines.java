package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * When a watch ends, and when it sends bookmarks (KEP-956). The times are those of {@code ListResource} in
 * {@code pkg/endpoints/handlers/get.go} and of {@code pkg/storage/cacher/cache_watcher.go} of the apiserver library,
 * v1.33. Thread-safe.
 */
final class WatchDeadlines implements AutoCloseable {
    private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
    private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
    private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);
    private final TaskScheduler taskScheduler;
    private final Runnable signal;
    private final List<TaskScheduler.Timer> timers = new ArrayList<>();
    private TaskScheduler.Timer bookmarkTimer = () -> {};
    private boolean closed;
    private volatile boolean endDue;
    private volatile boolean bookmarkDue;

    /**
     * The deadlines of a watch that begins now.
     *
     * @param signal runs when a deadline is reached
     */
    WatchDeadlines(ServerContext state, ListOptions options, Runnable signal) {
        this.taskScheduler = state.taskScheduler();
        this.signal = signal;
        Duration end = options.timeoutSeconds() > 0
                ? Duration.ofSeconds(options.timeoutSeconds())
                : MIN_TIMEOUT.plusSeconds(state.nameGenerator().below((int) MIN_TIMEOUT.toSeconds()));
        synchronized (timers) {
            timers.add(taskScheduler.later(end, this::end));
            if (options.bookmarks()) {
                Duration beforeEnd = end.minus(BOOKMARK_BEFORE_END);
                if (beforeEnd.isPositive()) {
                    timers.add(taskScheduler.later(beforeEnd, this::bookmark));
                }
                scheduleBookmark();
            }
        }
    }

    private void scheduleBookmark() {
        synchronized (timers) {
            if (!closed) {
                timers.remove(bookmarkTimer);
                bookmarkTimer = taskScheduler.later(BOOKMARK_INTERVAL, () -> {
                    bookmark();
                    scheduleBookmark();
                });
                timers.add(bookmarkTimer);
            }
        }
    }

    private void end() {
        endDue = true;
        signal.run();
    }

    private void bookmark() {
        bookmarkDue = true;
        signal.run();
    }

    /** Whether the watch is over. */
    boolean isEndDue() {
        return endDue;
    }

    /** Whether a bookmark is due; true only once for each. Called by the reader of the watch only. */
    boolean takeBookmark() {
        boolean due = bookmarkDue;
        bookmarkDue = false;
        return due;
    }

    @Override
    public void close() {
        synchronized (timers) {
            closed = true;
            timers.forEach(TaskScheduler.Timer::cancel);
            timers.clear();
        }
    }
}
