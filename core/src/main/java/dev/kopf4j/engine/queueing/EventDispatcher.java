package dev.kopf4j.engine.queueing;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.processing.ObjectMemory;
import dev.kopf4j.engine.processing.ObjectProcessor;
import dev.kopf4j.engine.processing.QueuedEvent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sorts the events of one stream into a slot per object, and has each slot served by one worker while it has work.
 * Thread-safe.
 *
 * <p>Limits: so many workers at a time, so many objects with unprocessed events, so many raw events of one object (then
 * the stream waits).
 */
public final class EventDispatcher implements ListAndWatchListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final Resource resource;
    private final ObjectProcessor processor;
    private final IndexReadinessGate gate;
    private final OperatorSettings.Queueing settings;
    private final StreamHealth health;
    private final Monitor monitor;
    private final KnownObjects table;
    private final StreamIndexReadiness streamIndexReadiness;
    private final ObjectWorker work;
    private final Runnable opening = this::passGate;

    /**
     * A reactor without any objects.
     *
     * @param metrics hears how long events have waited
     */
    public EventDispatcher(
            Platform platform,
            Resource resource,
            ObjectProcessor processor,
            ActionSchedule actionSchedule,
            IndexReadinessGate gate,
            OperatorSettings.Queueing settings,
            StreamHealth health,
            MetricsListener metrics) {
        this.resource = resource;
        this.processor = processor;
        this.gate = gate;
        this.settings = settings;
        this.health = health;
        this.monitor = platform.monitor();
        this.table = new KnownObjects(processor::daemonsOf, platform::nanos);
        this.streamIndexReadiness = new StreamIndexReadiness(gate, processor, health.stream());
        this.work = new ObjectWorker(
                monitor,
                processor,
                actionSchedule,
                table,
                streamIndexReadiness,
                served -> new WorkerPool(platform, monitor, resource, settings, served),
                since -> metrics.processingBegan(resource.plural(), Duration.ofNanos(platform.nanos() - since)));
        gate.onOpening(opening);
    }

    @Override
    public void listStarted() {
        monitor.locked(table::listStarted);
    }

    @Override
    public void listed(ObjectNode object) throws InterruptedException {
        ObjectReference own = ObjectReference.of(object);
        dispatch(
                reference(own.name(), own.uid(), own.namespace()),
                QueuedEvent.parsed(RawEvent.of(WatchEventType.LISTED, object)));
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        for (ObjectMemory slot : monitor.locked(table::vanished)) {
            RawEvent event = new RawEvent(WatchEventType.DELETED, ObjectIdentity.vanished(resource, slot), true);
            dispatch(slot.reference, QueuedEvent.parsed(event));
        }
        boolean through = monitor.locked(() -> {
            streamIndexReadiness.listed();
            return streamIndexReadiness.becomesReady();
        });
        health.listed();
        if (through) {
            streamIndexReadiness.release();
        }
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        WatchEventType type = switch (event.type()) {
            case ADDED -> WatchEventType.ADDED;
            case MODIFIED -> WatchEventType.MODIFIED;
            case DELETED -> WatchEventType.DELETED;
            case BOOKMARK, ERROR, UNKNOWN ->
                throw new IllegalArgumentException("not an event of an object: " + event.type());
        };
        dispatch(reference(event.name(), event.uid(), event.namespace()), QueuedEvent.unparsed(type, event));
    }

    /** With texts that all objects share: there may be many. */
    private ObjectReference reference(@Nullable String name, @Nullable String uid, @Nullable String namespace) {
        return new ObjectReference(resource.apiVersion(), resource.kind(), name, uid, namespace);
    }

    @Override
    public void alive() {
        health.alive();
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        health.disturbed(reason, failure);
    }

    private void dispatch(ObjectReference reference, QueuedEvent event) throws InterruptedException {
        String uid = ObjectIdentity.key(reference, () -> event.event().body());
        boolean crowded = monitor.await(() -> admitted(uid), Deadline.NEVER).orElseThrow();
        QueuedEvent waiting = crowded ? event.compact() : event;
        monitor.locked(() -> {
            if (!work.isStopped()) {
                enqueue(uid, reference, waiting);
            }
        });
    }

    /** Whether its events have to wait; empty as long as there is no room for them. */
    private Optional<Boolean> admitted(String uid) {
        return work.isStopped() || hasRoom(uid) ? Optional.of(isCrowded()) : Optional.empty();
    }

    /** True if events have to wait, for workers or for the indices. */
    private boolean isCrowded() {
        return !work.workerPool().hasRoom() || streamIndexReadiness.isClosed();
    }

    private boolean hasRoom(String uid) {
        ObjectMemory slot = table.find(uid);
        if (slot != null && (slot.throttled || (slot.waiting() > 0 && onlyNewestCounts(slot)))) {
            return true;
        }
        return table.queued() < settings.backlogLimit()
                && streamIndexReadiness.waiting(slot) < settings.eventBacklogLimit();
    }

    /**
     * An object that is busy for long must not hold up the stream for the indices: they are right with the newest
     * state.
     */
    private boolean onlyNewestCounts(ObjectMemory slot) {
        boolean tooMany = slot.waiting() >= settings.eventBacklogLimit();
        return slot.throttled || !processor.seesEachEvent() || (tooMany && !processor.keepsEachEvent());
    }

    private void enqueue(String uid, ObjectReference reference, QueuedEvent event) {
        ObjectMemory slot = table.noticed(uid, reference, event.type());
        if (!slot.hasWorker && slot.waiting() == 0 && processor.skipsAsEcho(slot, event)) {
            return;
        }
        table.offer(slot, event, onlyNewestCounts(slot));
        streamIndexReadiness.offered(slot);
        work.begin(slot);
    }

    /** The gate has opened: what was put aside is looked at. */
    private void passGate() {
        monitor.locked(() -> streamIndexReadiness.takeAll().forEach(work::start));
    }

    /**
     * Takes no events any more, and drops everything that has not begun: events, wake-ups, what could not be sent, what
     * is expected. Objects stay known. What is being processed goes on. Returns at once.
     */
    public void pause() {
        long dropped = monitor.locked(() -> {
            long waiting =
                    table.all().stream().filter(slot -> slot.waiting() > 0).count();
            work.stop();
            streamIndexReadiness.end();
            return waiting;
        });
        if (dropped > 0) {
            log.debug("{} objects of {} have events that are left to the next list.", dropped, resource);
        }
        streamIndexReadiness.release();
        leaveDaemons();
    }

    /**
     * Takes events, also again after a pause; a list comes first. If the objects are to be indexed, the gate is closed
     * until all that are listed are.
     */
    public void resume() {
        streamIndexReadiness.block();
        monitor.locked(() -> {
            work.restart();
            streamIndexReadiness.begin();
        });
        monitor.locked(table::daemons).forEach(ObjectDaemons::serve);
    }

    /** True if the objects are in indices. */
    public boolean indexes() {
        return processor.indexes();
    }

    /** After the last pause: the objects are not looked at any more, and leave the indices. */
    public void discard() {
        gate.forget(opening);
        monitor.locked(table::all).forEach(processor::discard);
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline.
     *
     * @return false if it does not end even so
     */
    public boolean awaitIdle(Deadline deadline) throws InterruptedException {
        boolean idle = work.workerPool().awaitIdle(deadline);
        // Those that workers have started meanwhile.
        leaveDaemons();
        return idle;
    }

    /** Waits until the deadline at the most for the end of daemons that were asked to stop. */
    public void awaitDaemons(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : monitor.locked(table::daemons)) {
            var _ = each.awaitEnd(deadline);
        }
    }

    /** What is not watched has no daemons, and gets none before it is watched again. */
    private void leaveDaemons() {
        monitor.locked(table::daemons).forEach(ObjectDaemons::unwatch);
    }

    /** How many objects have work, waiting or in progress. */
    public int waiting() {
        return monitor.locked(table::atWork);
    }

    /** How many objects are known. */
    public int size() {
        return monitor.locked(table::size);
    }
}
