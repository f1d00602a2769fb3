package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cycle.ObjectMemory;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.index.WrittenObjects.StreamKnowledge;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.engine.queueing.KnownObjects.StreamPosition;
import dev.kopf4j.engine.queueing.ObjectQueue.QueuedEvent;
import dev.kopf4j.engine.queueing.StreamHealth.Reader;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    private static final int REPORTS_AT_A_TIME = 1000;

    private final Platform platform;
    private final Resource resource;
    private final ObjectProcessor processor;
    private final IndexReadinessGate gate;
    private final StreamHealth health;
    private final UnreadableObjects unreadable;
    private final OperatorTrace trace;
    private final Monitor monitor;
    private final StreamPosition position;
    private final KnownObjects objects;
    private final Knowledge knowledge = new Knowledge();
    private final StreamIndexReadiness readiness;
    private final BacklogLimit backlog;
    private final BacklogLimit.Wait listWait;
    private final BacklogLimit.Wait eventWait;
    private final ObjectWork work;
    private final ShardsToActOn shards;
    private final Runnable opening = this::passGate;

    /**
     * A dispatcher that knows no objects.
     *
     * @param actionSchedule where objects wait for their next cycle
     * @param gate holds handlers back until the indices are complete
     * @param resourceWorkers limits the workers of all streams of the resource
     * @param unreadable the resource's objects that cannot be read
     * @param shards the objects to act on
     */
    public EventDispatcher(
            ObjectProcessor processor,
            ActionSchedule actionSchedule,
            IndexReadinessGate gate,
            ResourceWorkers resourceWorkers,
            StreamHealth health,
            UnreadableObjects unreadable,
            ShardsToActOn shards) {
        this.platform = processor.cycles().calls().platform();
        this.processor = processor;
        this.resource = processor.resource();
        this.gate = gate;
        this.health = health;
        this.unreadable = unreadable;
        this.trace = processor.cycles().calls().runner().trace();
        this.monitor = platform.monitor();
        this.position = new StreamPosition(resource, health);
        this.objects = new KnownObjects(processor, platform::nanos, position);
        this.readiness = new StreamIndexReadiness(gate, processor, health.stream());
        this.backlog = new BacklogLimit(processor, objects, readiness);
        this.listWait = new BacklogLimit.Wait(platform, monitor, actionSchedule, backlog, health, Reader.LISTER);
        this.eventWait = new BacklogLimit.Wait(platform, monitor, actionSchedule, backlog, health, Reader.WATCHER);
        this.work = new ObjectWork(processor, monitor, actionSchedule, objects, readiness, unreadable, resourceWorkers);
        this.shards = shards;
        gate.onOpening(opening);
    }

    /** Hears of the stream's lists and events. */
    public ListAndWatchListener listener() {
        return new Listener();
    }

    /** Puts an event into the queue of its object; waits as long as there is no room. */
    void dispatch(ObjectReference reference, QueuedEvent event) throws InterruptedException {
        String uid = key(reference, () -> event.event().body());
        if (shards.now().isPart() && monitor.locked(() -> passesOver(uid, event))) {
            return;
        }
        boolean listed = event.type() == WatchEventType.LISTED;
        if (listed && !work.workerPool().hasRoom()) {
            // Quick workers have room soon: then the object need not be written as text to wait for one, and read anew.
            platform.letOthersRun();
        }
        BacklogLimit.Wait wait = listed ? listWait : eventWait;
        boolean mustWait = wait.until(() -> admitted(uid, event.type()));
        QueuedEvent waiting = mustWait ? event.compact() : event;
        monitor.locked(() -> {
            if (!work.isPaused()) {
                boolean waits = enqueue(uid, reference, waiting);
                trace.happened(new OperatorStep.EventCame(resource, reference, event.type(), event.version(), waits));
            }
        });
    }

    /** Tells whether an event of the object will wait for a worker or for the indices; empty while there is no room. */
    private Optional<Boolean> admitted(String uid, WatchEventType type) {
        return work.isPaused() || backlog.hasRoom(objects.find(uid), type)
                ? Optional.of(!work.workerPool().hasRoom() || readiness.isClosed())
                : Optional.empty();
    }

    /** True for objects that other replicas act on: here, they are at most indexed. */
    private boolean passesOver(String uid, QueuedEvent event) {
        boolean passed = objects.isOthers(uid) && !indexes();
        if (passed && event.type() != WatchEventType.LISTED) {
            position.reached(event.version());
        }
        return passed;
    }

    /** False if the event leaves nothing to do. */
    private boolean enqueue(String uid, ObjectReference reference, QueuedEvent event) {
        if (objects.isOver(uid, event) || passesOver(uid, event)) {
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
        objects.offer(queue, event, backlog.onlyNewestCounts(queue));
        readiness.offered(queue);
        work.eventCame(queue);
        return true;
    }

    /** The indices are complete: continues with the objects that have waited for them. */
    private void passGate() {
        monitor.locked(() -> readiness.takeAll().forEach(work::start));
    }

    /**
     * Takes no events any more, and drops everything that has not begun: events, wake-ups, unsent patches, expected
     * versions. Objects stay known. What is being processed goes on. Returns at once.
     */
    public void end() {
        long dropped = monitor.locked(() -> {
            long waiting = objects.all().stream()
                    .filter(queue -> queue.queuedEvents() > 0)
                    .count();
            work.end();
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
     * Takes events, also again after an {@link #end}; a list comes first. If the objects are to be indexed, the gate is
     * closed until all listed objects are.
     */
    public void begin() {
        readiness.block(() -> monitor.locked(readiness::missing));
        monitor.locked(() -> {
            work.begin();
            readiness.begin();
        });
        monitor.locked(objects::daemons).forEach(ObjectDaemons::serve);
    }

    /**
     * Begins nothing any more for the objects of shards that other replicas will act on, as {@link #end} does for all;
     * daemons and timers are left to their owner. What is being processed goes on. Returns at once.
     */
    public void giveUp() {
        monitor.locked(() -> {
            objects.actOn(objects.shards().and(shards.now()));
            work.giveUpOthers();
        });
    }

    /**
     * Waits for the end of what is being done for objects that were {@linkplain #giveUp given up}, and interrupts it at
     * the deadline.
     */
    public void interruptGivenUpAt(Deadline deadline) throws InterruptedException {
        work.interruptGivenUpAt(deadline);
    }

    /** Waits for the end of what is being done for such objects; false if something goes on at the deadline. */
    public boolean awaitGivenUp(Deadline deadline) throws InterruptedException {
        return work.awaitGivenUp(deadline);
    }

    /** The memo of an object, safe for all threads; empty if the object is not known. */
    public Optional<Supplier<Object>> findMemo(String uid) {
        return monitor.locked(() -> Optional.ofNullable(objects.find(uid)))
                .map(queue -> processor.memo(queue.memory()));
    }

    /**
     * What only this memory knows of an object, for people; empty if the object is not known. Of one that is being
     * processed, it is only that. Safe for all threads.
     */
    public Optional<ObjectNode> recall(String uid) {
        ObjectNode told = Json.object();
        AtomicReference<@Nullable ObjectDaemons> daemons = new AtomicReference<>();
        boolean known = monitor.locked(() -> {
            ObjectQueue queue = objects.find(uid);
            boolean busy = queue != null && queue.hasWorker();
            told.put("busy", busy);
            if (queue != null && !busy) {
                queue.memory().tell(told);
                daemons.set(queue.memory().daemons());
            }
            return queue != null;
        });
        ObjectDaemons found = daemons.get();
        if (found != null) {
            found.tell(told); // without the monitor: daemons that end wake their objects under their own one
        }
        return known ? Optional.of(told) : Optional.empty();
    }

    /**
     * How the objects are doing that this replica acts on, for people. Few at a time are looked at under the monitor,
     * so that nobody waits for it for long.
     */
    public List<ObjectReport> reports() {
        List<ObjectQueue> all = monitor.locked(objects::all);
        List<ObjectReport> reports = new ArrayList<>(all.size());
        for (int from = 0; from < all.size(); from += REPORTS_AT_A_TIME) {
            List<ObjectQueue> some = all.subList(from, Math.min(all.size(), from + REPORTS_AT_A_TIME));
            monitor.locked(() -> {
                Set<ObjectQueue> served = work.workerPool().served();
                some.stream()
                        .filter(queue -> !objects.isOthers(queue.uid()))
                        .map(queue -> queue.report(served.contains(queue)))
                        .forEach(reports::add);
            });
        }
        return reports;
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
        backlog.isListedForParents();
    }

    /** A list of that version is complete. */
    void listComplete(String resourceVersion) {
        position.listComplete(resourceVersion);
        processor.indexer().listed(knowledge, resourceVersion);
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
        ObjectReference reference = position.reference(own.name(), own.uid(), own.namespace());
        String uid = key(reference, () -> body);
        ObjectMemory known = knowledge.memory(uid);
        ObjectMemory memory = known == null ? processor.newMemory(uid, reference, false, position) : known;
        processor.written(memory, body, knowledge);
    }

    /** The operator itself has deleted an object, and it is gone. */
    public void writtenAway(String uid) {
        if (indexes()) {
            processor.indexer().writtenAway(uid, knowledge);
        }
    }

    /** The uids of the objects that are known. */
    public Set<String> known() {
        return monitor.locked(() ->
                objects.all().stream().map(ObjectQueue::uid).collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /**
     * These objects do not exist any more. Those at rest are told so, as no event may come of them: the rights to watch
     * them may have gone with them. What else is to be told is left to the next call, as is everything while the stream
     * waits for room: the events may be in it.
     */
    public void gone(Set<String> uids) throws InterruptedException {
        for (String uid : uids) {
            ObjectQueue queue = health.isHearingNothing() ? null : monitor.locked(() -> findAtRest(uid));
            if (queue != null) {
                tellVanished(queue);
            }
        }
    }

    /** Null also for an object of which everything was told meanwhile. */
    private @Nullable ObjectQueue findAtRest(String uid) {
        ObjectQueue queue = objects.find(uid);
        return queue == null || queue.hasWorker() || queue.hasWork() ? null : queue;
    }

    /** No event has told of the end of the object. */
    private void tellVanished(ObjectQueue queue) throws InterruptedException {
        RawEvent event = new RawEvent(WatchEventType.DELETED, vanished(queue), true);
        dispatch(queue.reference(), QueuedEvent.parsed(event));
    }

    /**
     * After the last {@link #end}: forgets the objects, and takes them out of the indices.
     *
     * @param forGood false if another stream of the same objects will follow
     */
    public void discard(boolean forGood) {
        gate.forget(opening);
        processor.indexer().end();
        monitor.locked(objects::all).forEach(queue -> processor.discard(queue.memory(), forGood));
    }

    /** Waits for the end of what is being processed, and interrupts it at the deadline. */
    public void interruptAt(Deadline deadline) throws InterruptedException {
        work.workerPool().interruptAt(deadline);
    }

    /** Waits for the end of what is being processed; false if it goes on at the deadline. */
    public boolean awaitIdle(Deadline deadline) throws InterruptedException {
        boolean idle = work.workerPool().awaitIdle(deadline);
        // Workers may have started daemons meanwhile.
        unwatchDaemons();
        return idle;
    }

    /**
     * Waits until nothing is being processed any more, however long that takes. No daemons are unwatched then: another
     * stream may watch the same objects by now, whose daemons are the same.
     */
    public void awaitIdle() throws InterruptedException {
        var _ = work.workerPool().awaitIdle(Deadline.NEVER);
    }

    /**
     * Waits for the end of daemons that were asked to stop, until the deadline at the most; then they make no steps.
     */
    public void awaitDaemons(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : monitor.locked(objects::daemons)) {
            var _ = each.awaitEnd(deadline);
            each.beginNoSteps();
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

    /** The key of an object: its uid; objects without one are told apart by what names them. */
    private static String key(ObjectReference reference, Supplier<ObjectNode> body) {
        String uid = reference.uid();
        return uid == null || uid.isEmpty() ? composed(body.get()) : uid;
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

    /** The body of an object that has vanished from the list: nothing but its identity is known. */
    private static ObjectNode vanished(ObjectQueue queue) {
        ObjectNode body = queue.reference().identity();
        body.withObject("/metadata").put("uid", queue.uid());
        return body;
    }

    /** Makes events of objects out of what the stream brings: lists, watch events, and the silence between. */
    private final class Listener implements ListAndWatchListener {
        @Override
        public void listStarted() {
            health.listStarted();
            monitor.locked(() -> {
                objects.actOn(shards.now());
                work.giveUpOthers();
                objects.listStarted();
            });
        }

        /**
         * While the list is read, index functions alone are called: the list does not take long, and all wait for it.
         */
        @Override
        public boolean watchesWhileListing(String resourceVersion) {
            boolean watches = !indexes();
            if (watches) {
                monitor.locked(() -> objects.watchedFrom(resourceVersion));
                health.watchesWhileListing();
            }
            return watches;
        }

        @Override
        public void listed(ObjectNode object) throws InterruptedException {
            ObjectReference own = ObjectReference.of(object);
            dispatch(
                    position.reference(own.name(), own.uid(), own.namespace()),
                    QueuedEvent.parsed(RawEvent.of(WatchEventType.LISTED, object)));
        }

        @Override
        public void unreadable(UnreadableObject object) throws InterruptedException {
            ObjectReference reference = position.reference(object.name(), object.uid(), object.namespace());
            if (object.deleted()) {
                unreadable.readable(reference, true);
                ObjectQueue known = monitor.locked(() -> objects.find(object.uid(), object.name(), object.namespace()));
                if (known != null) {
                    tellVanished(known);
                }
                return;
            }
            monitor.locked(() -> objects.keep(object.uid(), object.name(), object.namespace()));
            unreadable.tell(reference, object.reason());
        }

        @Override
        public void listComplete(String resourceVersion) throws InterruptedException {
            for (ObjectQueue queue : monitor.locked(objects::listComplete)) {
                tellVanished(queue);
            }
            EventDispatcher.this.listComplete(resourceVersion);
            boolean ready = monitor.locked(() -> {
                readiness.listed();
                return readiness.endIfIndexed();
            });
            health.listed();
            if (ready) {
                readiness.release();
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
            dispatch(
                    position.reference(event.name(), event.uid(), event.namespace()),
                    QueuedEvent.unparsed(type, event));
        }

        @Override
        public void alive() {
            health.alive();
            if (health.isHeldUp() && monitor.locked(() -> backlog.hasRoom())) {
                health.keepsUp();
            }
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            health.disturbed(reason, failure);
        }
    }

    /** What the stream knows of objects that the operator itself has written. */
    private final class Knowledge implements StreamKnowledge {
        @Override
        public @Nullable IndexHolder holder(String uid) {
            return memory(uid);
        }

        /** What is remembered of an object; null if it is not known. */
        @Nullable ObjectMemory memory(String uid) {
            ObjectQueue known = monitor.locked(() -> objects.find(uid));
            return known == null ? null : known.memory();
        }

        @Override
        public boolean hasTold(String uid, String version) {
            return monitor.locked(() -> {
                ObjectQueue queue = objects.find(uid);
                return position.hasReached(version) && (queue == null || !queue.hasWaiting(version));
            });
        }

        @Override
        public int currentList() {
            return position.currentList();
        }
    }
}
