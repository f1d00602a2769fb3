package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one stream. Their number is limited, together with those of other streams of the same resource, more
 * strictly for those that are not held up by slow handlers; further objects wait, the urgent ones first. There are none
 * while there is no work. Guarded by the dispatcher's monitor, except where said.
 */
final class WorkerPool {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

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
    private final KnownObjects objects;
    private final ResourceWorkers resourceWorkers;
    private final Work work;
    private final SharedQueue<ObjectQueue> waiting;
    private final Set<Worker> workers = new LinkedHashSet<>();
    /** Those that were interrupted, and have not ended the work for their object yet. */
    private final Set<Worker> interrupted = new LinkedHashSet<>();

    private final Set<String> dismissed = new LinkedHashSet<>();

    /**
     * No workers.
     *
     * @param resourceWorkers limits them, together with those of other streams of the resource
     */
    WorkerPool(
            Platform platform,
            Monitor monitor,
            Resource resource,
            OperatorSettings.Queueing settings,
            KnownObjects objects,
            ResourceWorkers resourceWorkers,
            Work work) {
        this.platform = platform;
        this.monitor = monitor;
        this.resource = resource;
        this.objects = objects;
        this.resourceWorkers = resourceWorkers;
        this.work = work;
        this.waiting = new SharedQueue<>(WorkerPool::namespace, settings.workerLimitPerNamespace());
    }

    /** Whose workers an object takes: those of its namespace, or its own if it is cluster-scoped. */
    private static String namespace(ObjectQueue queue) {
        String namespace = queue.reference().namespace();
        return namespace == null ? queue.uid() : namespace;
    }

    /** True if an object would get a worker at once, unless its namespace has as many as it may have. */
    boolean hasRoom() {
        return resourceWorkers.hasRoom();
    }

    /** Gives the object a worker, or a place among those that wait for one. */
    void assign(ObjectQueue queue) {
        objects.workerAssigned(queue);
        if (waiting.hasRoomFor(queue) && resourceWorkers.begin(this)) {
            waiting.begin(queue);
            startWorker(queue);
        } else {
            waiting.add(queue, queue.priority(), platform.nanos());
        }
    }

    /** It is the turn of this stream: gives a worker to one of the objects that wait. Without the monitor. */
    void startOne() {
        monitor.locked(() -> {
            if (waiting.hasReady() && resourceWorkers.begin(this)) {
                startWorker(Objects.requireNonNull(waiting.poll()));
                wantMore();
            }
        });
    }

    private void wantMore() {
        if (waiting.hasReady()) {
            resourceWorkers.wants(this);
        }
    }

    /** The object has more work, which may be more urgent: it moves up if it waits for a worker. */
    void moveUp(ObjectQueue queue) {
        waiting.raise(queue, queue.priority(), platform.nanos());
    }

    private void startWorker(ObjectQueue queue) {
        Worker worker = new Worker(queue);
        worker.task = platform.spawn("worker of " + resource + " " + queue.reference(), worker);
        workers.add(worker);
    }

    /** True if a worker looks at the object; false also if it waits for one. */
    boolean isServing(ObjectQueue queue) {
        return queue.hasWorker() && workers.stream().anyMatch(worker -> worker.serves(queue));
    }

    /** The objects that workers look at. */
    Set<ObjectQueue> served() {
        Set<ObjectQueue> served = Collections.newSetFromMap(new IdentityHashMap<>());
        workers.stream().map(Worker::served).filter(Objects::nonNull).forEach(served::add);
        return served;
    }

    /** Interrupts the work for the object. */
    void interrupt(ObjectQueue queue) {
        workers.stream().filter(worker -> worker.serves(queue)).forEach(Worker::interrupt);
    }

    /** True if the work for the object was interrupted here. Otherwise, the user's code has, such as a filter. */
    boolean isInterrupted(ObjectQueue queue) {
        return interrupted.stream().anyMatch(worker -> worker.serves(queue));
    }

    /**
     * The work for the object has ended, in the current task: whoever has interrupted it, that hits no other object.
     */
    void calm(ObjectQueue queue) {
        interrupted.removeIf(worker -> worker.serves(queue));
        var _ = Thread.interrupted();
    }

    /** The object does not wait for a worker any more. */
    void dismiss(ObjectQueue queue) {
        if (queue.hasWorker() && !isServing(queue)) {
            waiting.remove(queue);
            objects.workerLeft(queue);
        }
    }

    /** Drops the queue of objects that wait for a worker. */
    void dismissWaiting() {
        resourceWorkers.forget(this);
        for (ObjectQueue queue = waiting.drop(); queue != null; queue = waiting.drop()) {
            objects.workerLeft(queue);
            dismissed.add(queue.reference().toString());
        }
    }

    /** Waits for the end of what is being processed, and interrupts it at the deadline. Without the monitor. */
    void interruptAt(Deadline deadline) throws InterruptedException {
        boolean idle = monitor.awaitTrue(workers::isEmpty, deadline);
        warnOfDismissed();
        if (idle) {
            return;
        }
        List<Worker> late = monitor.locked(() -> List.copyOf(workers));
        // A worker is named after the first object that it has served.
        List<String> objects = monitor.locked(() -> served().stream()
                .map(queue -> queue.reference().toString())
                .sorted()
                .toList());
        log.warn("K4-015: Unprocessed work is left for {}: {}", resource, objects);
        monitor.locked(() -> late.stream().filter(workers::contains).forEach(Worker::interrupt));
    }

    /** Waits for the end of what is being processed; false if it goes on at the deadline. Without the monitor. */
    boolean awaitIdle(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(workers::isEmpty, deadline);
    }

    private void warnOfDismissed() {
        List<String> left = monitor.locked(() -> {
            List<String> names = List.copyOf(dismissed);
            dismissed.clear();
            return names;
        });
        if (!left.isEmpty()) {
            log.warn(
                    "K4-015: Unprocessed work is left for {}: it has not begun for {} objects, such as {}. They are handled when"
                            + " they are watched again.",
                    resource,
                    left.size(),
                    left.subList(0, Math.min(left.size(), NAMED_MAX)));
        }
    }

    /** Serves object after object, as long as some wait for a worker. */
    private final class Worker implements Runnable, LongWaitSignal.Listener {
        private final ObjectQueue first;
        private @Nullable ObjectQueue served;
        private @Nullable Task task;

        Worker(ObjectQueue first) {
            this.first = first;
            this.served = first;
        }

        Task task() {
            return Objects.requireNonNull(task);
        }

        @Nullable ObjectQueue served() {
            return served;
        }

        @SuppressWarnings("ReferenceEquality") // that very object
        boolean serves(ObjectQueue queue) {
            return served == queue;
        }

        void interrupt() {
            interrupted.add(this);
            task().interrupt();
        }

        /** In the worker's own task. */
        void calm() {
            if (interrupted.remove(this)) {
                var _ = Thread.interrupted();
            }
        }

        @Override
        public void run() {
            LongWaitSignal.runListening(this, this::serveAll);
        }

        @Override
        public void begins() {
            resourceWorkers.waitsLong(true);
            monitor.locked(WorkerPool.this::wantMore);
            resourceWorkers.serve();
        }

        @Override
        public void ends() {
            resourceWorkers.waitsLong(false);
        }

        private void serveAll() {
            ObjectQueue queue = first;
            try {
                while (queue != null) {
                    work.serve(queue);
                    queue = next(queue);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                leave(queue);
            }
        }

        private @Nullable ObjectQueue next(ObjectQueue left) {
            ObjectQueue following = monitor.locked(() -> takeNext(left));
            resourceWorkers.serve();
            return following;
        }

        private @Nullable ObjectQueue takeNext(ObjectQueue left) {
            calm();
            waiting.end(left);
            ObjectQueue next = resourceWorkers.makesWay(WorkerPool.this) ? null : waiting.poll();
            if (next == null) {
                // In the same section, so that nobody queues up behind a worker that is leaving.
                workers.remove(this);
                resourceWorkers.end();
            }
            served = next;
            // Objects of the namespace may have waited for it, though there was room for more workers.
            wantMore();
            return next;
        }

        /** The object is null if the worker has left in order. */
        private void leave(@Nullable ObjectQueue unfinished) {
            if (unfinished != null) {
                monitor.locked(() -> {
                    waiting.end(unfinished);
                    interrupted.remove(this);
                    workers.remove(this);
                    resourceWorkers.end();
                    wantMore();
                });
                resourceWorkers.serve();
            }
        }
    }
}
