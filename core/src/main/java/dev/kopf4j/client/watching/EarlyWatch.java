package dev.kopf4j.client.watching;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;

/**
 * A watch that begins after the first page of a long list, in a task of its own, so that changes do not wait until the
 * listener has taken all pages. Confined to the task of the loop.
 */
final class EarlyWatch {
    private final Platform platform;
    private final String name;
    private final Watching watching;
    private @Nullable Task task;
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable Error defect;

    /** Watches until there has to be a new list. */
    @FunctionalInterface
    interface Watching {
        void from(String version) throws InterruptedException;
    }

    /** A watch that has not begun. */
    EarlyWatch(Platform platform, String name, Watching watching) {
        this.platform = platform;
        this.name = name;
        this.watching = watching;
    }

    /** Begins to watch; ignored if it has begun. */
    void begin(String version) {
        if (task == null) {
            task = platform.spawn(name, () -> watch(version));
        }
    }

    private void watch(String version) {
        try {
            watching.from(version);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The listener's: thrown again in the task of the loop.
            failure = e;
        } catch (Error e) {
            defect = e;
        }
    }

    /**
     * Waits until there has to be a new list, if the watch has begun.
     *
     * @return false if it has not begun
     */
    boolean awaitEnd() throws InterruptedException {
        Task begun = task;
        if (begun == null) {
            return false;
        }
        var _ = begun.join(Deadline.NEVER);
        rethrow(failure);
        rethrow(defect);
        return true;
    }

    private static <E extends Throwable> void rethrow(@Nullable E thrown) throws E {
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Ends the watch, if it has begun. */
    void stop() throws InterruptedException {
        Task begun = task;
        if (begun != null) {
            begun.interrupt();
            var _ = begun.join(Deadline.NEVER);
        }
    }
}
