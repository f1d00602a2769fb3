package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.cycle.ObjectProcessor.CycleResult;
import dev.kopf4j.engine.cycle.ObjectProcessor.CycleTrigger;
import dev.kopf4j.engine.cycle.ObjectProcessor.ObjectWakeUp;
import dev.kopf4j.engine.queueing.ObjectQueue.QueuedEvent;
import dev.kopf4j.engine.queueing.SharedQueue.WorkPriority;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The work of the objects of one stream. Decides when an object with work is given to a worker: at once, at a certain
 * moment, when the indices are complete, or not at all while the stream is paused. The worker takes the object's next
 * event or wake-up, has it processed, and applies the result. Guarded by the dispatcher's monitor, except where said.
 */
final class ObjectWork {
    /** How long to wait for calls that have not ended within the grace of interrupted ones. */
    private static final Duration LEFT_BEHIND_END_WITHIN = Duration.ofSeconds(1);

    private final ObjectProcessor processor;
    private final Resource resource;
    private final Platform platform;
    private final OperatorTrace trace;
    private final Monitor monitor;
    private final ActionSchedule actionSchedule;
    private final KnownObjects objects;
    private final StreamIndexReadiness readiness;
    private final UnreadableObjects unreadable;
    private final WorkerPool workerPool;
    private boolean paused;
    /** The objects that other replicas will act on, as soon as what is being processed has ended. */
    private final Set<ObjectQueue> givingUp = new LinkedHashSet<>();

    /**
     * Nothing is to be done.
     *
     * @param monitor the dispatcher's
     * @param actionSchedule where objects wait for their moments
     * @param unreadable is told of objects that cannot be read
     * @param resourceWorkers limits the workers
     */
    ObjectWork(
            ObjectProcessor processor,
            Monitor monitor,
            ActionSchedule actionSchedule,
            KnownObjects objects,
            StreamIndexReadiness readiness,
            UnreadableObjects unreadable,
            ResourceWorkers resourceWorkers) {
        HandlerRunner runner = processor.cycles().calls().runner();
        this.processor = processor;
        this.resource = processor.resource();
        this.platform = runner.platform();
        this.trace = runner.trace();
        this.monitor = monitor;
        this.actionSchedule = actionSchedule;
        this.objects = objects;
        this.readiness = readiness;
        this.unreadable = unreadable;
        this.workerPool = new WorkerPool(
                platform,
                monitor,
                resource,
                processor.cycles().settings().queueing(),
                objects,
                resourceWorkers,
                this::serve);
    }

    WorkerPool workerPool() {
        return workerPool;
    }

    /** True if nothing is begun at the moment. */
    boolean isPaused() {
        return paused;
    }

    /** Begins work, also again. */
    void begin() {
        paused = false;
    }

    /** Drops all work that has not begun, and begins none. Work in progress goes on. */
    void end() {
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
            trace.happened(new OperatorStep.WorkDropped(resource, queue.reference()));
        }
    }

    /** Drops all work for objects that other replicas act on, but their indexing. What is being processed goes on. */
    void giveUpOthers() {
        givingUp.removeIf(queue -> !objects.isOthers(queue.uid()));
        for (ObjectQueue queue : objects.others()) {
            queue.cancelWakeUp();
            if (workerPool.isServing(queue)) {
                givingUp.add(queue);
            } else {
                giveUp(queue);
                if (queue.queuedEvents() > 0 && !queue.hasWorker()) {
                    start(queue);
                }
            }
        }
    }

    /**
     * No worker looks at an object that other replicas act on: forgets it, or has it indexed. If a call that was left
     * behind goes on, it is not given up yet: the same handler must not be called elsewhere beside it.
     */
    private void giveUp(ObjectQueue queue) {
        boolean goesOn = !processor.callsLeftBehind(queue.memory()).isEmpty();
        if (goesOn) {
            givingUp.add(queue);
        } else {
            givingUp.remove(queue);
            processor.leaveToOthers(queue.memory());
        }
        if (processor.indexes()) {
            queue.dropAllButEvents();
            return;
        }
        workerPool.dismiss(queue);
        objects.dropWork(queue);
        if (!goesOn) {
            objects.forget(queue);
        }
    }

    /**
     * Waits for the end of what is being processed for objects that other replicas will act on, and interrupts it at
     * the deadline. Without the monitor.
     */
    void interruptGivenUpAt(Deadline deadline) throws InterruptedException {
        if (!monitor.awaitTrue(this::servesNoneOfOthers, deadline)) {
            monitor.locked(() -> givingUp.forEach(workerPool::interrupt));
        }
    }

    /**
     * Waits for the end of what is being processed for objects that other replicas will act on, and for the calls that
     * were left behind. Without the monitor.
     *
     * @return false if it goes on at the deadline; calls that were left behind have a second more
     */
    boolean awaitGivenUp(Deadline deadline) throws InterruptedException {
        if (!monitor.awaitTrue(this::servesNoneOfOthers, deadline)) {
            return false;
        }
        Deadline end = platform.after(LEFT_BEHIND_END_WITHIN);
        for (Task call : monitor.locked(this::callsLeftBehind)) {
            if (!call.join(end)) {
                return false;
            }
        }
        return monitor.locked(() -> {
            List.copyOf(givingUp).stream()
                    .filter(queue -> objects.isOthers(queue.uid()) && !workerPool.isServing(queue))
                    .forEach(this::giveUp);
            return givingUp.isEmpty();
        });
    }

    private boolean servesNoneOfOthers() {
        return givingUp.stream().noneMatch(workerPool::isServing);
    }

    private List<Task> callsLeftBehind() {
        return givingUp.stream()
                .filter(queue -> !workerPool.isServing(queue))
                .flatMap(queue -> processor.callsLeftBehind(queue.memory()).stream())
                .toList();
    }

    /**
     * An event has come: the object is looked at now. While it is left alone after an error, the event is indexed only,
     * unless it ends that.
     */
    void eventCame(ObjectQueue queue) {
        if (!queue.isThrottled()) {
            queue.cancelWakeUp();
        }
        start(queue);
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
    private void wakeNow(ObjectQueue queue, WorkPriority priority, OperatorStep.WakeUp why) {
        monitor.locked(() -> {
            if (objects.isOthers(queue.uid())) {
                return;
            }
            queue.requestWakeUp(priority);
            if (!queue.isThrottled() && !paused) {
                trace.happened(new OperatorStep.WokenUp(resource, queue.reference(), why));
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

    /** The object is not looked at before that moment, whatever comes, but is indexed. */
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
                trace.happened(new OperatorStep.WokenUp(resource, queue.reference(), OperatorStep.WakeUp.TIME));
                start(queue);
            }
        });
    }

    /** A piece of an object's work. */
    private sealed interface Work {
        /**
         * The event is for index functions only: all other handlers wait until the indices are complete, or until the
         * object's throttling ends.
         *
         * @param throttled true if the object is left alone after an error
         */
        record Indexing(QueuedEvent event, boolean throttled) implements Work {}

        /**
         * A whole cycle. The trigger is asked for without the monitor, as that parses the object.
         *
         * @param indexed true if index functions have seen the event already, or there is none
         */
        record Processing(Supplier<CycleTrigger> trigger, boolean indexed) implements Work {}
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
            if (abandoned && monitor.locked(() -> abandon(queue))) {
                readiness.release();
            }
        }
    }

    /**
     * A worker leaves the object in the midst of its work. Events that have come meanwhile stay, unless the stream is
     * paused: no list brings them again. For an object that other replicas act on, they are indexed.
     *
     * @return true if all listed objects are indexed now, and the caller has to tell that
     */
    private boolean abandon(ObjectQueue queue) {
        objects.workerLeft(queue);
        queue.cancelWakeUp();
        queue.endThrottling();
        boolean others = objects.isOthers(queue.uid());
        if (paused || (others && !processor.indexes())) {
            drop(queue);
        } else if (!others) {
            processor.dropPending(queue.memory());
        }
        if (others) {
            giveUp(queue);
        }
        if (queue.hasWork()) {
            start(queue);
        }
        if (queue.queuedEvents() == 0) {
            readiness.indexed(queue);
        }
        return readiness.endIfIndexed();
    }

    private void perform(Work work, ObjectQueue queue) throws InterruptedException {
        try {
            performReadable(work, queue);
        } catch (JsonConversionException | StackOverflowError e) {
            // Of the framework itself: what handlers throw has ended in their outcomes. This state is passed over, as
            // each attempt would end so.
            unreadable.tell(queue.reference(), UnreadableObject.reason(e));
            trace.happened(new OperatorStep.CycleEnded(resource, queue.reference(), Deadline.NEVER, false));
        }
    }

    private void performReadable(Work work, ObjectQueue queue) throws InterruptedException {
        switch (work) {
            case Work.Indexing(QueuedEvent event, boolean throttled) -> {
                RawEvent read = event.event();
                index(read, queue);
                QueuedEvent compact = event.compact();
                boolean urgent = throttled && processor.endsThrottling(queue.memory(), read);
                monitor.locked(() -> park(compact, throttled, urgent, queue));
            }
            case Work.Processing(Supplier<CycleTrigger> trigger, boolean indexed) -> {
                CycleTrigger read = trigger.get();
                unreadable.readable(queue.reference(), read.isGone());
                if (!indexed && read instanceof CycleTrigger.Event(var event, var _)) {
                    index(event, queue);
                }
                CycleResult result = processor.process(queue.memory(), read, new WakeUp(queue));
                monitor.locked(() -> apply(result, queue));
                boolean gone = result instanceof CycleResult.Forget;
                trace.happened(new OperatorStep.CycleEnded(resource, queue.reference(), next(result), gone));
            }
        }
    }

    /**
     * Has an event indexed. If that is interrupted, as other replicas will act on the object, the event is indexed here
     * all the same, later. An interrupt by the user's code is none of the handlers that follow.
     */
    private void index(RawEvent event, ObjectQueue queue) throws InterruptedException {
        try {
            processor.index(queue.memory(), event, new WakeUp(queue));
        } catch (InterruptedException e) {
            monitor.locked(() -> objects.putBack(queue, QueuedEvent.parsed(event)));
            throw e;
        }
        if (Thread.currentThread().isInterrupted()) {
            monitor.locked(() -> {
                if (!workerPool.isInterrupted(queue)) {
                    workerPool.calm(queue);
                }
            });
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
            wakeNow(queue, WorkPriority.BACKGROUND, OperatorStep.WakeUp.DAEMONS);
        }

        @Override
        public void childrenChanged() {
            wakeNow(queue, WorkPriority.CHILD, OperatorStep.WakeUp.CHILDREN);
        }

        @Override
        public boolean isInterrupted() {
            return monitor.locked(() -> workerPool.isInterrupted(queue));
        }
    }

    /** The next piece of work; null if there is none, and the worker must leave the object. Without the monitor. */
    private @Nullable Work next(ObjectQueue queue) {
        Work work = monitor.locked(() -> takeNext(queue));
        if (work == null && monitor.locked(readiness::endIfIndexed)) {
            readiness.release();
        }
        return work;
    }

    private @Nullable Work takeNext(ObjectQueue queue) {
        workerPool.calm(queue);
        boolean others = objects.isOthers(queue.uid());
        if (givingUp.remove(queue) && others) {
            giveUp(queue);
        }
        Work work = paused ? null : others ? pollToIndex(queue) : poll(queue);
        if (work == null) {
            ObjectReference reference = queue.reference();
            objects.workerLeft(queue);
            leave(queue);
            trace.happened(new OperatorStep.WorkerLeft(resource, reference));
        }
        return work;
    }

    /** Everything is done, or has to wait: for the indices, for the end of throttling, or for the end of a pause. */
    private void leave(ObjectQueue queue) {
        if (paused) {
            drop(queue);
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
        if (queue.isThrottled()) {
            return pollToIndex(queue);
        }
        processor.forgetVersionsBefore(queue.memory(), queue.listedIn());
        // Asked once: the gate may open at any time.
        return readiness.isClosed() ? pollForIndices(queue) : pollForAll(queue);
    }

    private @Nullable Work pollToIndex(ObjectQueue queue) {
        QueuedEvent event = objects.poll(queue);
        return event == null ? null : new Work.Indexing(event, queue.isThrottled());
    }

    private @Nullable Work pollForIndices(ObjectQueue queue) {
        QueuedEvent event = readiness.canIndex(queue) ? objects.poll(queue) : null;
        if (event == null) {
            return null;
        }
        var _ = queue.takeWakeUpRequest();
        return new Work.Indexing(event, false);
    }

    private @Nullable Work pollForAll(ObjectQueue queue) {
        QueuedEvent parked = queue.pollParked();
        QueuedEvent event = parked == null ? pollUnlessOwnChange(queue) : parked;
        boolean wakeUpRequested = queue.takeWakeUpRequest();
        if (event != null) {
            boolean outdated = queue.isOutdated(event);
            long since = queue.waitingSince();
            Supplier<CycleTrigger> trigger = () -> {
                Duration waited = Duration.ofNanos(platform.nanos() - since);
                trace.happened(new OperatorStep.CycleBegan(
                        resource, queue.reference(), event.type(), event.version(), waited));
                return new CycleTrigger.Event(event.event(), outdated);
            };
            return new Work.Processing(trigger, parked != null);
        }
        Supplier<ObjectNode> body = wakeUpRequested ? queue.memory().bodyToWakeUp() : null;
        if (body == null) {
            return null;
        }
        Supplier<CycleTrigger> trigger = () -> {
            trace.happened(new OperatorStep.CycleBegan(resource, queue.reference(), null, "", Duration.ZERO));
            return new CycleTrigger.WakeUp(body.get());
        };
        return new Work.Processing(trigger, true);
    }

    private @Nullable QueuedEvent pollUnlessOwnChange(ObjectQueue queue) {
        QueuedEvent event;
        do {
            event = objects.poll(queue);
        } while (event != null && processor.skipsOwnChange(queue.memory(), event.type(), event.version()));
        return event;
    }

    private void park(QueuedEvent event, boolean throttled, boolean urgent, ObjectQueue queue) {
        if (urgent) {
            queue.endThrottling();
        }
        if (!queue.isThrottled()) {
            queue.cancelWakeUp();
        }
        if (objects.isOthers(queue.uid())) {
            if (event.type() == WatchEventType.DELETED && queue.queuedEvents() == 0) {
                objects.forget(queue);
            }
        } else if (!paused) {
            queue.park(event, throttled || !processor.keepsEachEvent());
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
        if (objects.isOthers(queue.uid()) && !(result instanceof CycleResult.Forget)) {
            return;
        }
        switch (result) {
            case CycleResult.Idle() -> {}
            case CycleResult.WakeUp(Deadline at) -> wakeAt(queue, at);
            case CycleResult.Throttled(Deadline until) -> throttle(queue, until);
            case CycleResult.Forget() -> {
                if (queue.queuedEvents() == 0) {
                    objects.forget(queue);
                }
            }
        }
    }
}
