package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.queueing.order.AgeingQueue;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one stream. Their number is limited, more strictly for those that are not held up by slow handlers;
 * further objects wait, the urgent ones first. There are none while there is no work. Guarded by the dispatcher's
 * monitor, except where said.
 */
final class WorkerPool {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /** Interrupted workers end at their next wait, or when their request is abandoned. */
    private static final Duration INTERRUPTED_END_WITHIN = Duration.ofSeconds(1);

    /** How many of the objects that are left are named in the log. */
    private static final int NAMED_MAX = 5;

    /** What workers do. */
    @FunctionalInterface
    interface Work {
        /** Does all the work of one object, or drops it if that fails, and leaves the object. Without the monitor. */
        void serve(ObjectQueue queue) throws InterruptedException;
    }

    private final Platform platform;
    private final Monitor monitor;
    private final Resource resource;
    private final OperatorSettings.Queueing settings;
    private final Work work;
    private final AgeingQueue<ObjectQueue> waiting = new AgeingQueue<>();
    private final Set<Task> workers = new HashSet<>();
    private final Set<String> dismissed = new LinkedHashSet<>();
    private int waitingLong;

    WorkerPool(Platform platform, Monitor monitor, Resource resource, OperatorSettings.Queueing settings, Work work) {
        this.platform = platform;
        this.monitor = monitor;
        this.resource = resource;
        this.settings = settings;
        this.work = work;
    }

    /** True if an object would get a worker at once. */
    boolean hasRoom() {
        Integer limit = settings.workerLimit();
        return workers.size() - waitingLong < settings.workersAtWork() && (limit == null || workers.size() < limit);
    }

    /** Gives the object a worker, or a place among those that wait for one. */
    void assign(ObjectQueue queue) {
        queue.workerAssigned();
        if (hasRoom()) {
            startWorker(queue);
        } else {
            waiting.add(queue, queue.priority(), platform.nanos());
        }
    }

    /** The object has more work, which may be more urgent: it moves up if it waits for a worker. */
    void moveUp(ObjectQueue queue) {
        waiting.raise(queue, queue.priority(), platform.nanos());
    }

    private void startWorker(ObjectQueue queue) {
        Worker worker = new Worker(queue);
        worker.task = platform.spawn("worker of " + resource + " " + queue.reference(), worker);
        workers.add(worker.task);
    }

    /** Drops the queue of objects that wait for a worker. */
    void dismissWaiting() {
        for (ObjectQueue queue = waiting.poll(); queue != null; queue = waiting.poll()) {
            queue.workerLeft();
            dismissed.add(queue.reference().toString());
        }
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline. Without the monitor.
     *
     * @return false if it does not end even so
     */
    boolean awaitIdle(Deadline deadline) throws InterruptedException {
        boolean idle = monitor.awaitTrue(workers::isEmpty, deadline);
        warnOfDismissed();
        if (idle) {
            return true;
        }
        List<Task> late = monitor.locked(() -> List.copyOf(workers));
        log.warn(
                "Unprocessed work is left for {}: {}",
                resource,
                late.stream().map(Task::name).toList());
        late.forEach(Task::interrupt);
        return monitor.awaitTrue(workers::isEmpty, platform.after(INTERRUPTED_END_WITHIN));
    }

    private void warnOfDismissed() {
        List<String> left = monitor.locked(() -> {
            List<String> names = List.copyOf(dismissed);
            dismissed.clear();
            return names;
        });
        if (!left.isEmpty()) {
            log.warn(
                    "Unprocessed work is left for {}: it has not begun for {} objects, such as {}. They are handled when"
                            + " they are watched again.",
                    resource,
                    left.size(),
                    left.subList(0, Math.min(left.size(), NAMED_MAX)));
        }
    }

    /** Serves object after object, as long as some wait for a worker. */
    private final class Worker implements Runnable, LongWaitSignal.Listener {
        private final ObjectQueue first;

        @Nullable Task task;

        Worker(ObjectQueue first) {
            this.first = first;
        }

        @Override
        public void run() {
            LongWaitSignal.runListening(this, this::serveAll);
        }

        @Override
        public void begins() {
            monitor.locked(() -> {
                waitingLong++;
                ObjectQueue next = hasRoom() ? waiting.poll() : null;
                if (next != null) {
                    startWorker(next);
                }
            });
        }

        @Override
        public void ends() {
            monitor.locked(() -> {
                waitingLong--;
            });
        }

        private void serveAll() {
            try {
                for (ObjectQueue queue = first; queue != null; queue = nextQueue()) {
                    work.serve(queue);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                monitor.locked(() -> {
                    workers.remove(task);
                });
            }
        }

        private @Nullable ObjectQueue nextQueue() {
            return monitor.locked(() -> {
                ObjectQueue next = waiting.poll();
                if (next == null) {
                    // In the same section, so that nobody queues up behind a worker that is leaving.
                    workers.remove(task);
                }
                return next;
            });
        }
    }
}
