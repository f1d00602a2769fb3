package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorMetrics;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.StreamListener;
import dev.kopf4j.client.WatchEvent;
import dev.kopf4j.engine.cause.EventType;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.index.IndexGate;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWait;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sorts the events of one stream into a slot per object, and has each slot served by one worker while it has work.
 * Thread-safe.
 *
 * <p>Limits: so many workers at a time, fewer unless slow handlers hold them up (further objects wait in order), so
 * many objects with unprocessed events, so many raw events of one object (then the stream waits).
 */
public final class ResourceReactor implements StreamListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /** Interrupted workers end at their next wait, or when their request is abandoned. */
    private static final Duration INTERRUPTED_END_WITHIN = Duration.ofSeconds(1);

    private final Platform platform;
    private final Resource resource;
    private final ObjectProcessor processor;
    private final Schedule schedule;
    private final IndexGate gate;
    private final OperatorSettings.Queueing settings;
    private final StreamHealth health;
    private final OperatorMetrics metrics;

    private final Monitor monitor;
    private final Map<String, ObjectSlot> slots = new HashMap<>();
    private final Deque<ObjectSlot> waitingForWorker = new ArrayDeque<>();
    private final Set<ObjectSlot> behindGate = new LinkedHashSet<>();
    private final Runnable opening = this::passGate;
    private final Set<Task> workers = new HashSet<>();
    private int waitingLong;
    private int queued;
    private int lists;
    private boolean stopped;
    private FirstListing firstListing = new FirstListing(false);

    /** A reactor without any objects. */
    public ResourceReactor(
            Platform platform,
            Resource resource,
            ObjectProcessor processor,
            Schedule schedule,
            IndexGate gate,
            OperatorSettings.Queueing settings,
            StreamHealth health) {
        this(platform, resource, processor, schedule, gate, settings, health, OperatorMetrics.NONE);
    }

    /** The same, with somebody who hears how long events have waited. */
    public ResourceReactor(
            Platform platform,
            Resource resource,
            ObjectProcessor processor,
            Schedule schedule,
            IndexGate gate,
            OperatorSettings.Queueing settings,
            StreamHealth health,
            OperatorMetrics metrics) {
        this.metrics = metrics;
        this.platform = platform;
        this.resource = resource;
        this.processor = processor;
        this.schedule = schedule;
        this.gate = gate;
        this.settings = settings;
        this.health = health;
        this.monitor = platform.monitor();
        gate.onOpening(opening);
    }

    @Override
    public void listStarted() {
        monitor.locked(() -> {
            lists++;
            slots.values().forEach(slot -> {
                slot.seenInList = false;
                slot.lists = lists;
            });
        });
    }

    @Override
    public void listed(ObjectNode object) throws InterruptedException {
        dispatch(reference(object), QueuedEvent.parsed(RawEvent.of(EventType.LISTED, object)));
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        List<ObjectSlot> vanished = monitor.locked(
                () -> slots.values().stream().filter(slot -> !slot.seenInList).toList());
        for (ObjectSlot slot : vanished) {
            RawEvent event = new RawEvent(EventType.DELETED, Vanished.body(resource, slot), true);
            dispatch(slot.reference, QueuedEvent.parsed(event));
        }
        monitor.locked(() -> firstListing.listed());
        health.listed();
        releaseGateIfIndexed();
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        EventType type = switch (event.type()) {
            case ADDED -> EventType.ADDED;
            case MODIFIED -> EventType.MODIFIED;
            case DELETED -> EventType.DELETED;
            case BOOKMARK, ERROR, UNKNOWN ->
                throw new IllegalArgumentException("not an event of an object: " + event.type());
        };
        dispatch(reference(event.name(), event.uid(), event.namespace()), QueuedEvent.unparsed(type, event));
    }

    private ObjectReference reference(ObjectNode object) {
        ObjectReference own = ObjectReference.of(object);
        return reference(own.name(), own.uid(), own.namespace());
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

    private void releaseGateIfIndexed() {
        if (monitor.locked(() -> firstListing.ends())) {
            gate.release(health.stream());
        }
    }

    /** The gate has opened: what was put aside is looked at. */
    private void passGate() {
        monitor.locked(() -> {
            List<ObjectSlot> waiting = List.copyOf(behindGate);
            behindGate.clear();
            waiting.forEach(this::startWork);
        });
    }

    /** True if what the slot has to do is not for index functions, and those are not through with all objects. */
    private boolean mustWaitForGate(ObjectSlot slot) {
        return isGateClosed() && !canIndex(slot);
    }

    /** True if only index functions may be called. */
    private boolean isGateClosed() {
        return !gate.isOpen() && processor.waitsForIndices();
    }

    private boolean canIndex(ObjectSlot slot) {
        return processor.indexes() && slot.waiting() > 0;
    }

    private void dispatch(ObjectReference reference, QueuedEvent event) throws InterruptedException {
        String uid = Identity.of(reference, event);
        monitor.awaitTrue(() -> stopped || hasRoom(uid), Deadline.NEVER);
        QueuedEvent waiting = monitor.locked(this::isCrowded) ? event.compact() : event;
        monitor.locked(() -> {
            if (!stopped) {
                enqueue(uid, reference, waiting);
            }
        });
    }

    /** True if events have to wait, for workers or for the indices. */
    private boolean isCrowded() {
        return !hasRoomForWorker() || isGateClosed();
    }

    private boolean hasRoom(String uid) {
        ObjectSlot slot = slots.get(uid);
        if (slot != null && (slot.throttled || (slot.waiting() > 0 && onlyNewestCounts(slot)))) {
            return true;
        }
        return queued < settings.backlogLimit() && waiting(slot) < settings.eventBacklogLimit();
    }

    /**
     * What was put aside during the first list does not count: the gate would wait for the list, and the list for it.
     */
    private int waiting(@Nullable ObjectSlot slot) {
        if (slot == null) {
            return 0;
        }
        return slot.waiting() + (firstListing.isOver() ? slot.waitingBehindGate() : 0);
    }

    /**
     * An object that is busy for long must not hold up the stream for the indices: they are right with the newest
     * state.
     */
    private boolean onlyNewestCounts(ObjectSlot slot) {
        boolean tooMany = slot.waiting() >= settings.eventBacklogLimit();
        return slot.throttled || !processor.seesEachEvent() || (tooMany && !processor.keepsEachEvent());
    }

    private void enqueue(String uid, ObjectReference reference, QueuedEvent event) {
        boolean listed = event.type() == EventType.LISTED;
        ObjectSlot slot = slots.computeIfAbsent(uid, id -> newSlot(id, reference, listed));
        if (listed) {
            slot.seenInList = true;
            slot.lists = lists;
            slot.listedIn = lists;
        } else if (event.type() != EventType.DELETED) {
            slot.seenInList = true;
        }
        if (!slot.working && slot.waiting() == 0 && processor.passesOver(slot, event)) {
            return;
        }
        if (slot.waiting() == 0) {
            slot.waitingSince = platform.nanos();
        }
        queued -= slot.waiting();
        slot.offer(event, onlyNewestCounts(slot));
        queued += slot.waiting();
        firstListing.add(slot);
        if (!slot.throttled) {
            cancelWakeUp(slot);
            startWork(slot);
        }
    }

    private ObjectSlot newSlot(String uid, ObjectReference reference, boolean listed) {
        ObjectSlot slot = new ObjectSlot(uid, reference, listed);
        slot.daemons = processor.daemonsOf(uid);
        return slot;
    }

    private void cancelWakeUp(ObjectSlot slot) {
        if (slot.wakeUp != null) {
            slot.wakeUp.cancel();
            slot.wakeUp = null;
        }
    }

    /** Gives the slot a worker, or a place in the queue for one. */
    private void startWork(ObjectSlot slot) {
        if (slot.working || stopped) {
            return;
        }
        if (mustWaitForGate(slot)) {
            behindGate.add(slot);
            return;
        }
        slot.working = true;
        if (hasRoomForWorker()) {
            hire(slot);
        } else {
            waitingForWorker.add(slot);
        }
    }

    private boolean hasRoomForWorker() {
        return workers.size() - waitingLong < settings.workersAtWork() && workers.size() < settings.workerLimit();
    }

    private void hire(ObjectSlot slot) {
        Worker worker = new Worker(slot);
        worker.task = platform.spawn("worker of " + resource + " " + slot.reference, worker);
        workers.add(worker.task);
    }

    /**
     * Takes no events any more, and drops everything that has not begun: events, wake-ups, what could not be sent, what
     * is expected. Objects stay known. What is being processed goes on. Returns at once.
     */
    public void pause() {
        int dropped = monitor.locked(() -> {
            int waiting = (int)
                    slots.values().stream().filter(slot -> slot.waiting() > 0).count();
            stopped = true;
            queued = 0;
            waitingForWorker.forEach(slot -> slot.working = false);
            waitingForWorker.clear();
            behindGate.clear();
            firstListing = new FirstListing(false);
            slots.values().forEach(this::drop);
            return waiting;
        });
        if (dropped > 0) {
            log.debug("{} objects of {} have events that are left to the next list.", dropped, resource);
        }
        gate.release(health.stream());
        leaveDaemons();
    }

    /** What is not watched has no daemons, and gets none before it is watched again. */
    private void leaveDaemons() {
        daemons().forEach(ObjectDaemons::leave);
    }

    /** Waits until the deadline at the most for the end of daemons that were asked to stop. */
    public void awaitDaemons(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : daemons()) {
            var _ = each.awaitEnd(deadline);
        }
    }

    private List<ObjectDaemons> daemons() {
        return monitor.locked(() -> slots.values().stream()
                .map(slot -> slot.daemons)
                .filter(Objects::nonNull)
                .toList());
    }

    private void drop(ObjectSlot slot) {
        cancelWakeUp(slot);
        slot.dropEvents();
        if (!slot.working) {
            slot.dropPending();
            processor.forgetKnown(slot);
        }
    }

    /**
     * Takes events, also again after a pause; a list comes first. If the objects are to be indexed, the gate is closed
     * until all that are listed are.
     */
    public void resume() {
        if (processor.indexes()) {
            gate.block(health.stream());
        }
        monitor.locked(() -> {
            stopped = false;
            firstListing = new FirstListing(processor.indexes());
        });
        daemons().forEach(ObjectDaemons::serve);
    }

    /** True if the objects are in indices. */
    boolean indexes() {
        return processor.indexes();
    }

    /** After the last pause: the objects are not looked at any more, and leave the indices. */
    void discard() {
        gate.forget(opening);
        monitor.locked(() -> List.copyOf(slots.values())).forEach(processor::discard);
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline.
     *
     * @return false if it does not end even so
     */
    public boolean awaitIdle(Deadline deadline) throws InterruptedException {
        boolean idle = awaitWorkers(deadline);
        // Those that workers have started meanwhile.
        leaveDaemons();
        return idle;
    }

    private boolean awaitWorkers(Deadline deadline) throws InterruptedException {
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

    /** How many objects have work, waiting or in progress. */
    public int waiting() {
        return monitor.locked(() -> (int) slots.values().stream()
                .filter(slot -> slot.working || slot.waiting() > 0)
                .count());
    }

    /** How many objects are known. */
    public int size() {
        return monitor.locked(slots::size);
    }

    /** Serves slot after slot, as long as there are any with work. */
    private final class Worker implements Runnable, LongWait.Listener {
        private @Nullable ObjectSlot slot;

        @Nullable Task task;

        Worker(ObjectSlot slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            LongWait.heardBy(this, this::serveAll);
        }

        @Override
        public void begins() {
            monitor.locked(() -> {
                waitingLong++;
                if (!waitingForWorker.isEmpty() && hasRoomForWorker()) {
                    hire(waitingForWorker.remove());
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
                for (ObjectSlot current = slot; current != null; current = nextSlot()) {
                    slot = current;
                    serve(current);
                    slot = null;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                monitor.locked(() -> {
                    workers.remove(task);
                    if (slot != null) {
                        leave(slot);
                    }
                });
            }
        }

        private @Nullable ObjectSlot nextSlot() {
            return monitor.locked(() -> {
                ObjectSlot waiting = waitingForWorker.poll();
                if (waiting == null) {
                    // In the same section, so that nobody queues up behind a worker that is leaving.
                    workers.remove(task);
                }
                return waiting;
            });
        }

        private void serve(ObjectSlot current) throws InterruptedException {
            Trigger trigger = next(current);
            while (trigger != null) {
                Next next = processor.process(current, trigger);
                remember(current, next);
                rememberDaemons(current, next);
                monitor.locked(() -> settle(current, next));
                trigger = next(current);
            }
        }
    }

    /** What the worker has to look at next; null if the slot has no work, and its worker has to leave it. */
    private @Nullable Trigger next(ObjectSlot slot) {
        Supplier<Trigger> work = monitor.locked(() -> {
            Supplier<Trigger> polled = stopped || slot.throttled ? null : poll(slot);
            slot.working = polled != null;
            if (stopped) {
                leave(slot);
            } else if (polled == null) {
                settleDown(slot);
            }
            return polled;
        });
        if (work == null) {
            releaseGateIfIndexed();
        }
        return work == null ? null : work.get();
    }

    /** Its worker leaves it: everything is done, or has to wait for the gate. */
    private void settleDown(ObjectSlot slot) {
        if (!slot.throttled && slot.hasWork()) {
            behindGate.add(slot);
        }
        if (slot.waiting() == 0) {
            firstListing.indexed(slot);
        }
    }

    /** The worker has ended before the work has, or the work does not count any more. */
    private void leave(ObjectSlot slot) {
        slot.working = false;
        queued -= slot.waiting();
        drop(slot);
    }

    /** What is to be done; its object is parsed when it is got, outside of the lock. */
    private @Nullable Supplier<Trigger> poll(ObjectSlot slot) {
        if (slot.listedIn > slot.learntIn) {
            processor.forgetKnown(slot);
        }
        // Asked once: it may open at any time.
        boolean early = isGateClosed();
        if (early && !canIndex(slot)) {
            return null;
        }
        QueuedEvent indexed = early ? null : slot.takeParked();
        QueuedEvent event = indexed == null ? pollNeeded(slot) : indexed;
        if (event != null) {
            slot.wakeRequested = false;
            if (early) {
                return () -> new Trigger.Early(event, event.event());
            }
            boolean outdated = slot.isOutdated(event);
            Duration waited = Duration.ofNanos(platform.nanos() - slot.waitingSince);
            return () -> {
                metrics.processingBegan(resource.plural(), waited);
                return new Trigger.Event(event.event(), outdated, indexed != null);
            };
        }
        if (slot.wakeRequested) {
            slot.wakeRequested = false;
            ObjectNode body = slot.keptOrLive();
            return body == null ? null : () -> new Trigger.Moment(body);
        }
        return null;
    }

    private @Nullable QueuedEvent pollNeeded(ObjectSlot slot) {
        QueuedEvent event;
        do {
            event = slot.poll();
            queued -= event == null ? 0 : 1;
        } while (event != null && processor.passesOver(slot, event));
        return event;
    }

    /** The worker's part of the settling, outside of the lock: bodies may be large. */
    private static void remember(ObjectSlot slot, Next next) {
        switch (next) {
            case Next.Rest(), Next.Forget() -> slot.forgetKept();
            case Next.Parked _ -> {}
            case Next.Await(ObjectNode body) -> slot.keep(body);
            case Next.WakeUp(Deadline _, ObjectNode body) -> slot.keep(body);
            case Next.Throttled(Deadline _, ObjectNode body) -> slot.keep(body);
        }
    }

    /** The worker's part again: daemons end at moments of their own, and of vanished objects they have to. */
    private void rememberDaemons(ObjectSlot slot, Next next) {
        ObjectDaemons daemons = slot.daemons;
        if (daemons == null) {
            slot.daemonsTell = false;
        } else if (next instanceof Next.Forget) {
            daemons.gone();
            slot.daemons = null;
        } else if (!slot.daemonsTell) {
            slot.daemonsTell = true;
            daemons.tell(() -> wakeNow(slot));
        }
    }

    private void wakeNow(ObjectSlot slot) {
        monitor.locked(() -> {
            slot.wakeRequested = true;
            if (!slot.throttled) {
                startWork(slot);
            }
        });
    }

    private void settle(ObjectSlot slot, Next next) {
        slot.throttled = false;
        cancelWakeUp(slot);
        if (stopped && !(next instanceof Next.Forget)) {
            return;
        }
        switch (next) {
            case Next.Rest(), Next.Await _ -> {}
            case Next.Parked(var event) -> slot.park(event, !processor.keepsEachEvent());
            case Next.Forget() -> {
                if (slot.waiting() == 0) {
                    slots.remove(slot.uid);
                }
            }
            case Next.WakeUp(Deadline at, ObjectNode _) -> {
                slot.wakeUp = schedule.at(at, () -> wake(slot, at));
            }
            case Next.Throttled(Deadline until, ObjectNode _) -> {
                slot.throttled = true;
                slot.wakeUp = schedule.at(until, () -> wake(slot, until));
            }
        }
    }

    private void wake(ObjectSlot slot, Deadline due) {
        monitor.locked(() -> {
            // It may have been cancelled when it was about to run.
            if (slot.wakeUp != null && slot.wakeUp.deadline().equals(due)) {
                slot.throttled = false;
                slot.wakeUp = null;
                slot.wakeRequested = true;
                startWork(slot);
            }
        });
    }

    /** The key of an object; objects without a uid are told apart by what names them. */
    private static final class Identity {
        static String of(ObjectReference reference, QueuedEvent event) {
            String uid = reference.uid();
            return uid == null || uid.isEmpty() ? composed(event.event().body()) : uid;
        }

        private static String composed(ObjectNode body) {
            List<String> parts = new ArrayList<>();
            for (String key : List.of("kind", "apiVersion")) {
                parts.add(body.path(key).asString("-"));
            }
            for (String key : List.of("name", "namespace", "creationTimestamp")) {
                parts.add(body.path("metadata").path(key).asString("-"));
            }
            return String.join("//", parts);
        }
    }

    /** The body of an object that was there, and is not in the list any more: nothing but its identity. */
    private static final class Vanished {
        static ObjectNode body(Resource resource, ObjectSlot slot) {
            ObjectNode body = Json.object();
            body.put("apiVersion", resource.apiVersion());
            body.put("kind", resource.kind());
            ObjectNode metadata = body.putObject("metadata");
            metadata.put("name", slot.reference.name());
            if (slot.reference.namespace() != null) {
                metadata.put("namespace", slot.reference.namespace());
            }
            metadata.put("uid", slot.uid);
            return body;
        }
    }
}
