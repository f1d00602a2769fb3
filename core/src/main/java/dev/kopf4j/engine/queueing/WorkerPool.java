package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.processing.ObjectMemory;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one stream: so many at a time, fewer unless slow handlers hold them up; further objects wait in order.
 * There are none while there is no work. Guarded by the reactor's monitor, except where said.
 */
final class WorkerPool {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /** Interrupted workers end at their next wait, or when their request is abandoned. */
    private static final Duration INTERRUPTED_END_WITHIN = Duration.ofSeconds(1);

    /** What workers do. */
    interface Work {
        /** Does all that is to be done for one object, and leaves it. Without the monitor. */
        void serve(ObjectMemory slot) throws InterruptedException;

        /** The worker has ended before the work has. */
        void abandoned(ObjectMemory slot);
    }

    private final Platform platform;
    private final Monitor monitor;
    private final Resource resource;
    private final OperatorSettings.Queueing settings;
    private final Work work;
    private final Deque<ObjectMemory> waiting = new ArrayDeque<>();
    private final Set<Task> workers = new HashSet<>();
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
        return workers.size() - waitingLong < settings.workersAtWork() && workers.size() < settings.workerLimit();
    }

    /** Gives the slot a worker, or a place in the queue for one. */
    void assign(ObjectMemory slot) {
        slot.hasWorker = true;
        if (hasRoom()) {
            startWorker(slot);
        } else {
            waiting.add(slot);
        }
    }

    private void startWorker(ObjectMemory slot) {
        Worker worker = new Worker(slot);
        worker.task = platform.spawn("worker of " + resource + " " + slot.reference, worker);
        workers.add(worker.task);
    }

    /** Slots that have no worker yet do not get one. */
    void dismissWaiting() {
        waiting.forEach(slot -> slot.hasWorker = false);
        waiting.clear();
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline. Without the monitor.
     *
     * @return false if it does not end even so
     */
    boolean awaitIdle(Deadline deadline) throws InterruptedException {
        if (monitor.awaitTrue(workers::isEmpty, deadline)) {
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

    /** Serves slot after slot, as long as there are any with work. */
    private final class Worker implements Runnable, LongWaitSignal.Listener {
        private @Nullable ObjectMemory slot;

        @Nullable Task task;

        Worker(ObjectMemory slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            LongWaitSignal.runListening(this, this::serveAll);
        }

        @Override
        public void begins() {
            monitor.locked(() -> {
                waitingLong++;
                if (!waiting.isEmpty() && hasRoom()) {
                    startWorker(waiting.remove());
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
                for (ObjectMemory current = slot; current != null; current = nextSlot()) {
                    slot = current;
                    work.serve(current);
                    slot = null;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                monitor.locked(() -> {
                    workers.remove(task);
                    if (slot != null) {
                        work.abandoned(slot);
                    }
                });
            }
        }

        private @Nullable ObjectMemory nextSlot() {
            return monitor.locked(() -> {
                ObjectMemory next = waiting.poll();
                if (next == null) {
                    // In the same section, so that nobody queues up behind a worker that is leaving.
                    workers.remove(task);
                }
                return next;
            });
        }
    }
}
