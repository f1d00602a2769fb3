package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;

/**
 * Decides when an object with work is given to a worker: at once, at a certain moment, when the indices are complete,
 * or not at all while the stream is paused. Guarded by the dispatcher's monitor, except where said.
 */
final class WorkScheduler {
    private final Monitor monitor;
    private final ActionSchedule actionSchedule;
    private final ObjectProcessor processor;
    private final KnownObjects objects;
    private final StreamIndexReadiness readiness;
    private final WorkerPool workerPool;
    private final QueueTrace trace;
    private boolean paused;

    WorkScheduler(
            Monitor monitor,
            ActionSchedule actionSchedule,
            ObjectProcessor processor,
            KnownObjects objects,
            StreamIndexReadiness readiness,
            WorkerPool workerPool,
            QueueTrace trace) {
        this.monitor = monitor;
        this.actionSchedule = actionSchedule;
        this.processor = processor;
        this.objects = objects;
        this.readiness = readiness;
        this.workerPool = workerPool;
        this.trace = trace;
    }

    /** True if nothing is begun at the moment. */
    boolean isPaused() {
        return paused;
    }

    /** Begins work again. */
    void resume() {
        paused = false;
    }

    /** Drops all work that has not begun, and begins none. Work in progress goes on. */
    void pause() {
        paused = true;
        workerPool.dismissWaiting();
        objects.all().forEach(this::drop);
    }

    /** Drops all work of the object that has not begun. What is being processed is dropped when its worker leaves. */
    void drop(ObjectQueue queue) {
        queue.cancelWakeUp();
        objects.dropWork(queue);
        if (!queue.hasWorker()) {
            processor.dropPending(queue.memory());
            trace.dropped(queue);
        }
    }

    /** An event has come: the object is looked at now, unless it is left alone after an error. */
    void eventCame(ObjectQueue queue) {
        if (!queue.isThrottled()) {
            queue.cancelWakeUp();
            start(queue);
        }
    }

    /** Gives the object a worker, or a place among those that wait for one, or for the indices; or a better place. */
    void start(ObjectQueue queue) {
        if (paused) {
            return;
        }
        if (queue.hasWorker()) {
            workerPool.moveUp(queue);
        } else if (readiness.mustWait(queue)) {
            readiness.add(queue);
        } else {
            workerPool.assign(queue);
        }
    }

    /**
     * There is more to do for the object: it is looked at now, unless it is left alone after an error. Without the
     * monitor.
     */
    void wakeNow(ObjectQueue queue, WorkPriority priority) {
        monitor.locked(() -> {
            queue.requestWakeUp(priority);
            if (!queue.isThrottled() && !paused) {
                trace.wokenUp(queue);
                start(queue);
            }
        });
    }

    /** The object is looked at in that moment, unless an event comes first. */
    void wakeAt(ObjectQueue queue, Deadline moment) {
        if (!paused) {
            queue.scheduleWakeUp(actionSchedule.at(moment, () -> wake(queue, moment)));
        }
    }

    /** The object is not looked at before that moment, whatever comes. */
    void throttle(ObjectQueue queue, Deadline until) {
        if (!paused) {
            queue.throttle();
            wakeAt(queue, until);
        }
    }

    private void wake(ObjectQueue queue, Deadline due) {
        monitor.locked(() -> {
            if (queue.takeWakeUp(due)) {
                queue.endThrottling();
                queue.requestWakeUp(WorkPriority.RETRY);
                trace.wokenUp(queue);
                start(queue);
            }
        });
    }
}
