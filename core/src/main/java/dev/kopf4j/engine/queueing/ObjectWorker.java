package dev.kopf4j.engine.queueing;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.engine.cycle.CycleResult;
import dev.kopf4j.engine.cycle.CycleTrigger;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.cycle.ObjectProcessor.ObjectWakeUp;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Does the work of each object: takes its next event or wake-up, has it processed, and applies the result. Guarded by
 * the dispatcher's monitor, except where said.
 */
final class ObjectWorker {
    private final Monitor monitor;
    private final ObjectProcessor processor;
    private final KnownObjects objects;
    private final StreamIndexReadiness readiness;
    private final WorkScheduler scheduler;
    private final UnreadableObjects unreadable;
    private final LongConsumer began;
    private final QueueTrace trace;

    /**
     * A worker for the objects of a stream.
     *
     * @param unreadable is told of objects that cannot be read
     * @param began is told of each event that is processed: the clock's reading when the object began to wait
     * @param trace is told of cycles that have ended
     */
    ObjectWorker(
            Monitor monitor,
            ObjectProcessor processor,
            KnownObjects objects,
            StreamIndexReadiness readiness,
            WorkScheduler scheduler,
            UnreadableObjects unreadable,
            LongConsumer began,
            QueueTrace trace) {
        this.monitor = monitor;
        this.processor = processor;
        this.objects = objects;
        this.readiness = readiness;
        this.scheduler = scheduler;
        this.unreadable = unreadable;
        this.began = began;
        this.trace = trace;
    }

    /** A piece of an object's work. */
    private sealed interface Work {
        /** The event is for index functions only: all other handlers wait until the indices are complete. */
        record Indexing(QueuedEvent event) implements Work {}

        /** A whole cycle. The trigger is asked for without the monitor, as that parses the object. */
        record Processing(Supplier<CycleTrigger> trigger) implements Work {}
    }

    /** Does all the work of one object, piece after piece, and leaves the object. Without the monitor. */
    void serve(ObjectQueue queue) throws InterruptedException {
        boolean abandoned = true;
        try {
            for (Work work = next(queue); work != null; work = next(queue)) {
                perform(work, queue);
            }
            abandoned = false;
        } finally {
            if (abandoned) {
                monitor.locked(() -> {
                    queue.workerLeft();
                    scheduler.drop(queue);
                });
            }
        }
    }

    private void perform(Work work, ObjectQueue queue) throws InterruptedException {
        try {
            performReadable(work, queue);
        } catch (JsonConversionException | StackOverflowError e) {
            // Of the framework itself: what handlers throw has ended in their outcomes. This state is passed over, as
            // each attempt would end so.
            unreadable.tell(queue.reference(), UnreadableObject.reason(e));
            trace.cycleEnded(queue, Deadline.NEVER);
        }
    }

    private void performReadable(Work work, ObjectQueue queue) throws InterruptedException {
        switch (work) {
            case Work.Indexing(QueuedEvent event) -> {
                processor.index(queue.memory(), event.event());
                QueuedEvent compact = event.compact();
                monitor.locked(() -> park(compact, queue));
            }
            case Work.Processing(Supplier<CycleTrigger> trigger) -> {
                CycleTrigger read = trigger.get();
                unreadable.readable(queue.reference(), read.isGone());
                CycleResult result = processor.process(queue.memory(), read, new WakeUp(queue));
                monitor.locked(() -> apply(result, queue));
                trace.cycleEnded(queue, next(result));
            }
        }
    }

    /** Has one object looked at. */
    private final class WakeUp implements ObjectWakeUp {
        private final ObjectQueue queue;

        WakeUp(ObjectQueue queue) {
            this.queue = queue;
        }

        @Override
        public void daemonsEnded() {
            wake(WorkPriority.BACKGROUND);
        }

        @Override
        public void childrenChanged() {
            wake(WorkPriority.CHILD);
        }

        private void wake(WorkPriority priority) {
            scheduler.wakeNow(queue, priority);
        }
    }

    /** The next piece of work; null if there is none, and the worker must leave the object. Without the monitor. */
    private @Nullable Work next(ObjectQueue queue) {
        Work work = monitor.locked(() -> takeNext(queue));
        if (work == null && monitor.locked(readiness::becomesReady)) {
            readiness.release();
        }
        return work;
    }

    private @Nullable Work takeNext(ObjectQueue queue) {
        Work work = scheduler.isPaused() || queue.isThrottled() ? null : poll(queue);
        if (work == null) {
            queue.workerLeft();
            leave(queue);
            trace.workerLeft(queue);
        }
        return work;
    }

    /** Everything is done, or has to wait: for the indices, for the end of throttling, or for the end of a pause. */
    private void leave(ObjectQueue queue) {
        if (scheduler.isPaused()) {
            scheduler.drop(queue);
            return;
        }
        if (!queue.isThrottled() && queue.hasWork()) {
            readiness.add(queue);
        }
        if (queue.queuedEvents() == 0) {
            readiness.indexed(queue);
        }
    }

    private @Nullable Work poll(ObjectQueue queue) {
        processor.forgetVersionsBefore(queue.memory(), queue.listedIn());
        // Asked once: the gate may open at any time.
        return readiness.isClosed() ? pollForIndices(queue) : pollForAll(queue);
    }

    private @Nullable Work pollForIndices(ObjectQueue queue) {
        QueuedEvent event = readiness.canIndex(queue) ? objects.poll(queue) : null;
        if (event == null) {
            return null;
        }
        var _ = queue.takeWakeUpRequest();
        return new Work.Indexing(event);
    }

    private @Nullable Work pollForAll(ObjectQueue queue) {
        QueuedEvent parked = queue.pollParked();
        QueuedEvent event = parked == null ? pollUnlessOwnChange(queue) : parked;
        boolean wakeUpRequested = queue.takeWakeUpRequest();
        if (event != null) {
            boolean outdated = queue.isOutdated(event);
            long since = queue.waitingSince();
            return new Work.Processing(() -> {
                began.accept(since);
                return new CycleTrigger.Event(event.event(), outdated, parked != null);
            });
        }
        Supplier<ObjectNode> body = wakeUpRequested ? queue.memory().bodyToWakeUp() : null;
        return body == null ? null : new Work.Processing(() -> new CycleTrigger.WakeUp(body.get()));
    }

    private @Nullable QueuedEvent pollUnlessOwnChange(ObjectQueue queue) {
        QueuedEvent event;
        do {
            event = objects.poll(queue);
        } while (event != null && processor.skipsOwnChange(queue.memory(), event.type(), event.version()));
        return event;
    }

    private void park(QueuedEvent event, ObjectQueue queue) {
        queue.cancelWakeUp();
        if (!scheduler.isPaused()) {
            queue.park(event, !processor.keepsEachEvent());
        }
    }

    private static Deadline next(CycleResult result) {
        return switch (result) {
            case CycleResult.Idle(), CycleResult.Forget() -> Deadline.NEVER;
            case CycleResult.WakeUp(Deadline at) -> at;
            case CycleResult.Throttled(Deadline until) -> until;
        };
    }

    private void apply(CycleResult result, ObjectQueue queue) {
        queue.cancelWakeUp();
        switch (result) {
            case CycleResult.Idle() -> {}
            case CycleResult.WakeUp(Deadline at) -> scheduler.wakeAt(queue, at);
            case CycleResult.Throttled(Deadline until) -> scheduler.throttle(queue, until);
            case CycleResult.Forget() -> {
                if (queue.queuedEvents() == 0) {
                    objects.forget(queue);
                }
            }
        }
    }
}
