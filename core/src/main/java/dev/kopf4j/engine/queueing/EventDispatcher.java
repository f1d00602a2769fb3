package dev.kopf4j.engine.queueing;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.cycle.ObjectMemory;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.queueing.StreamHealth.Reader;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sorts the events of one stream into a queue per object, and has each object served by one worker while it has work.
 * Thread-safe.
 *
 * <p>Three numbers are limited: the workers at a time, the objects with unprocessed events, and the raw events of one
 * object. At a limit, the stream waits.
 */
public final class EventDispatcher {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Resource resource;
    private final ObjectProcessor processor;
    private final IndexReadinessGate gate;
    private final StreamHealth health;
    private final UnreadableObjects unreadable;
    private final QueueTrace trace;
    private final Monitor monitor;
    private final StreamPosition position;
    private final KnownObjects objects;
    private final WrittenKnowledge knowledge;
    private final StreamIndexReadiness readiness;
    private final BacklogLimits limits;
    private final BacklogWait listWait;
    private final BacklogWait eventWait;
    private final WorkerPool workerPool;
    private final WorkScheduler scheduler;
    private final ObjectWorker worker;
    private final Runnable opening = this::passGate;

    /**
     * A dispatcher that knows no objects.
     *
     * @param resourceWorkers limits the workers of all streams of the resource
     * @param unreadable the resource's objects that cannot be read
     * @param metrics hears how long events have waited
     * @param trace hears of events and of ended cycles
     */
    public EventDispatcher(
            Platform platform,
            Resource resource,
            ObjectProcessor processor,
            ActionSchedule actionSchedule,
            IndexReadinessGate gate,
            OperatorSettings.Queueing settings,
            ResourceWorkers resourceWorkers,
            StreamHealth health,
            UnreadableObjects unreadable,
            MetricsListener metrics,
            OperatorTrace trace) {
        this.resource = resource;
        this.processor = processor;
        this.gate = gate;
        this.health = health;
        this.unreadable = unreadable;
        this.trace = new QueueTrace(resource, trace);
        this.monitor = platform.monitor();
        this.position = new StreamPosition(health);
        this.objects = new KnownObjects(processor, platform::nanos, position);
        this.knowledge = new WrittenKnowledge(monitor, objects, position);
        this.readiness = new StreamIndexReadiness(gate, processor, resource, health.stream());
        this.limits = new BacklogLimits(settings, processor, objects, readiness);
        this.listWait = new BacklogWait(platform, monitor, actionSchedule, limits, health, Reader.LISTER);
        this.eventWait = new BacklogWait(platform, monitor, actionSchedule, limits, health, Reader.WATCHER);
        this.workerPool = new WorkerPool(platform, monitor, resource, settings, resourceWorkers, this::serve);
        this.scheduler =
                new WorkScheduler(monitor, actionSchedule, processor, objects, readiness, workerPool, this.trace);
        this.worker = new ObjectWorker(
                monitor,
                processor,
                objects,
                readiness,
                scheduler,
                unreadable,
                since -> metrics.processingBegan(resource.plural(), Duration.ofNanos(platform.nanos() - since)),
                this.trace);
        gate.onOpening(opening);
    }

    private void serve(ObjectQueue queue) throws InterruptedException {
        worker.serve(queue);
    }

    /** Hears of the stream's lists and events. */
    public ListAndWatchListener listener() {
        return new StreamListener(resource, monitor, this, objects, readiness, limits, health, unreadable);
    }

    /** Puts an event into the queue of its object; waits as long as there is no room. */
    void dispatch(ObjectReference reference, QueuedEvent event) throws InterruptedException {
        String uid = ObjectIdentity.key(reference, () -> event.event().body());
        BacklogWait backlogWait = event.type() == WatchEventType.LISTED ? listWait : eventWait;
        boolean mustWait = backlogWait.until(() -> admitted(uid, event.type()));
        QueuedEvent waiting = mustWait ? event.compact() : event;
        monitor.locked(() -> {
            if (!scheduler.isPaused()) {
                boolean waits = enqueue(uid, reference, waiting);
                boolean gone = event.type() == WatchEventType.DELETED;
                trace.eventCame(reference, event.version(), gone, waits);
            }
        });
    }

    /** Tells whether an event of the object will wait for a worker or for the indices; empty while there is no room. */
    private Optional<Boolean> admitted(String uid, WatchEventType type) {
        return scheduler.isPaused() || limits.hasRoom(objects.find(uid), type)
                ? Optional.of(!workerPool.hasRoom() || readiness.isClosed())
                : Optional.empty();
    }

    /** False if the event leaves nothing to do. */
    private boolean enqueue(String uid, ObjectReference reference, QueuedEvent event) {
        if (objects.isOver(uid, event)) {
            return false;
        }
        if (event.type() != WatchEventType.LISTED) {
            position.reached(event.version());
        }
        ObjectQueue queue = objects.noticed(uid, reference, event.type());
        boolean idle = !queue.hasWorker() && queue.queuedEvents() == 0;
        if (idle && processor.skipsOwnChange(queue.memory(), event.type(), event.version())) {
            return false;
        }
        objects.offer(queue, event, limits.onlyNewestCounts(queue));
        readiness.offered(queue);
        scheduler.eventCame(queue);
        return true;
    }

    /** The indices are complete: continues with the objects that have waited for them. */
    private void passGate() {
        monitor.locked(() -> readiness.takeAll().forEach(scheduler::start));
    }

    /**
     * Takes no events any more, and drops everything that has not begun: events, wake-ups, unsent patches, expected
     * versions. Objects stay known. What is being processed goes on. Returns at once.
     */
    public void pause() {
        long dropped = monitor.locked(() -> {
            long waiting = objects.all().stream()
                    .filter(queue -> queue.queuedEvents() > 0)
                    .count();
            scheduler.pause();
            readiness.end();
            return waiting;
        });
        if (dropped > 0) {
            log.debug("{} objects of {} have events that are left to the next list.", dropped, resource);
        }
        readiness.release();
        unwatchDaemons();
    }

    /**
     * Takes events, also again after a pause; a list comes first. If the objects are to be indexed, the gate is closed
     * until all listed objects are.
     */
    public void resume() {
        readiness.block();
        monitor.locked(() -> {
            scheduler.resume();
            readiness.begin();
        });
        monitor.locked(objects::daemons).forEach(ObjectDaemons::serve);
    }

    /** The memo of an object, safe for all threads; empty if the object is not known. */
    public Optional<Supplier<Object>> findMemo(String uid) {
        return monitor.locked(() -> Optional.ofNullable(objects.find(uid)))
                .map(queue -> processor.memo(queue.memory()));
    }

    /** True if the objects are in indices. */
    public boolean indexes() {
        return processor.indexes();
    }

    /**
     * The list is read as children of other objects, too, which wait for its end: while the handlers of its own objects
     * are among those that wait, it has to be read without a limit.
     */
    public void isListedForParents() {
        limits.isListedForParents();
    }

    /** A list of that version is complete. */
    void listComplete(String resourceVersion) {
        position.listComplete(resourceVersion);
        processor.listed(knowledge, resourceVersion);
    }

    /**
     * The operator itself has written an object: the indices have it so from now on, though the stream may tell of it
     * later. No other handlers are called.
     *
     * @throws InterruptedException if the operator stops
     */
    public void written(ObjectNode body) throws InterruptedException {
        if (!indexes()) {
            return;
        }
        ObjectReference own = ObjectReference.of(body);
        ObjectReference reference =
                new ObjectReference(resource.apiVersion(), resource.kind(), own.name(), own.uid(), own.namespace());
        String uid = ObjectIdentity.key(reference, () -> body);
        ObjectMemory known = knowledge.memory(uid);
        ObjectMemory memory = known == null ? processor.newMemory(uid, reference, false, position) : known;
        processor.written(memory, body, knowledge);
    }

    /** The operator itself has deleted an object, and it is gone. */
    public void writtenAway(String uid) {
        if (indexes()) {
            processor.writtenAway(uid, knowledge);
        }
    }

    /** After the last pause: forgets the objects, and takes them out of the indices. */
    public void discard() {
        gate.forget(opening);
        monitor.locked(objects::all).forEach(queue -> processor.discard(queue.memory()));
        processor.end();
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline.
     *
     * @return false if it does not end even so
     */
    public boolean awaitIdle(Deadline deadline) throws InterruptedException {
        boolean idle = workerPool.awaitIdle(deadline);
        // Workers may have started daemons meanwhile.
        unwatchDaemons();
        return idle;
    }

    /** Waits for the end of daemons that were asked to stop, until the deadline at the most. */
    public void awaitDaemons(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : monitor.locked(objects::daemons)) {
            var _ = each.awaitEnd(deadline);
        }
    }

    /** Objects that are not watched have no daemons, and get none before they are watched again. */
    private void unwatchDaemons() {
        monitor.locked(objects::daemons).forEach(ObjectDaemons::unwatch);
    }

    /** How many objects have work, waiting or in progress. */
    public int waiting() {
        return monitor.locked(objects::atWork);
    }

    /** How many objects are known. */
    public int size() {
        return monitor.locked(objects::size);
    }
}
