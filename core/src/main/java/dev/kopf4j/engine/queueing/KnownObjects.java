package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.cycle.ObjectProcessor.StreamProgress;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.queueing.ObjectQueue.QueuedEvent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.ObjectReference.CompactUid;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one stream that exist, with their queues: which of them the last list had, and how many of their
 * events wait. Guarded by the dispatcher's monitor.
 */
final class KnownObjects {
    private final ObjectTable queues = new ObjectTable();
    private final ObjectProcessor processor;
    private final LongSupplier nanos;
    private final StreamPosition position;
    /**
     * Which events are over when they come, as a list is read while its resource is watched already: the list may tell
     * of an object from before its change, the watch of changes from before the list.
     */
    private final Set<String> deletedSinceList = new HashSet<>();

    private @Nullable String watchedFrom;
    private boolean listing;

    private final ReferenceTexts texts = new ReferenceTexts();
    private ShardSet shards = ShardSet.ALL;
    private int queuedListed;
    private int queuedChanges;
    private int atWork;

    /**
     * No objects.
     *
     * @param processor makes what is remembered of them
     * @param nanos the clock that tells how long events wait
     * @param position how far the stream has come
     */
    KnownObjects(ObjectProcessor processor, LongSupplier nanos, StreamPosition position) {
        this.processor = processor;
        this.nanos = nanos;
        this.position = position;
    }

    List<ObjectQueue> all() {
        return queues.all().toList();
    }

    @Nullable ObjectQueue find(String uid) {
        return queues.find(CompactUid.of(uid));
    }

    /** The shards of objects to act on. */
    ShardSet shards() {
        return shards;
    }

    /** From now on, only the objects of these shards are to be acted on. */
    void actOn(ShardSet others) {
        shards = others;
    }

    /** True if other replicas act on the object. */
    boolean isOthers(String uid) {
        return !shards.has(uid);
    }

    /** The objects that other replicas act on. */
    List<ObjectQueue> others() {
        return shards.isPart()
                ? queues.all().filter(queue -> isOthers(queue.uid())).toList()
                : List.of();
    }

    /** A list begins: no object was seen in it yet. */
    void listStarted() {
        position.listStarted();
        list(true);
        queues.all().forEach(ObjectQueue::listStarted);
    }

    private void list(boolean begins) {
        listing = begins;
        watchedFrom = null;
        deletedSinceList.clear();
    }

    /** While the list is read, changes come in that were made after that version, which is the list's. */
    void watchedFrom(String version) {
        watchedFrom = version;
    }

    /** True if the event tells of a state that is over, as a list is being read. */
    boolean isOver(String uid, QueuedEvent event) {
        if (event.type() == WatchEventType.LISTED) {
            ObjectQueue known = find(uid);
            return deletedSinceList.contains(uid) || (known != null && known.hasChangedSinceList());
        }
        // The version of a deletion may be that of the object's last state.
        return event.type() != WatchEventType.DELETED && watchedFrom != null && covers(watchedFrom, event.version());
    }

    /** Confused servers send old events once more. */
    private static boolean covers(String ofList, String version) {
        return ResourceVersions.areNumbers(version, ofList) && ResourceVersions.isAtLeast(ofList, version);
    }

    /** The list is complete. Returns the objects that were not seen since it began. */
    List<ObjectQueue> listComplete() {
        list(false);
        return queues.all().filter(queue -> !queue.wasSeenInList()).toList();
    }

    /**
     * The object of an event or a list cannot be read: if it was known before, it is not concluded to be gone.
     *
     * @param uid null if it cannot be told, as the name; without both, no object is concluded to be gone
     */
    void keep(@Nullable String uid, @Nullable String name, @Nullable String namespace) {
        if (uid == null && name == null) {
            queues.all().forEach(this::keep);
            return;
        }
        ObjectQueue known = find(uid, name, namespace);
        if (known != null) {
            keep(known);
        }
    }

    private void keep(ObjectQueue queue) {
        queue.noticed(WatchEventType.LISTED, true, position.currentList());
    }

    /** The object with that uid, or with that name if the uid is null; null if none is known. */
    @Nullable ObjectQueue find(@Nullable String uid, @Nullable String name, @Nullable String namespace) {
        if (uid != null) {
            return find(uid);
        }
        return queues.all()
                .filter(queue -> queue.memory().isNamed(name, namespace))
                .findFirst()
                .orElse(null);
    }

    /** The queue of an object of which an event has come. */
    ObjectQueue noticed(String uid, ObjectReference reference, WatchEventType type) {
        // What changes while a list is read, and was not created meanwhile, is in the list, too.
        boolean isInList = type == WatchEventType.LISTED || (listing && type == WatchEventType.MODIFIED);
        if (listing && type == WatchEventType.DELETED) {
            deletedSinceList.add(uid);
        }
        ObjectQueue queue = find(uid);
        if (queue == null) {
            queue = new ObjectQueue(
                    processor.newMemory(uid, texts.shared(reference), isInList || isOthers(uid), position));
            queues.add(queue);
        }
        queue.noticed(type, isInList, position.currentList());
        return queue;
    }

    /** The object does not exist any more. */
    void forget(ObjectQueue queue) {
        queues.remove(queue);
    }

    /** How many events of lists wait, of all objects. */
    int queuedListed() {
        return queuedListed;
    }

    /** How many other events wait, of all objects. */
    int queuedChanges() {
        return queuedChanges;
    }

    /** How many objects have work, waiting or in progress. */
    int atWork() {
        return atWork;
    }

    /** A worker looks at the object, or will as soon as there is one. */
    void workerAssigned(ObjectQueue queue) {
        count(queue, -1);
        queue.workerAssigned();
        count(queue, 1);
    }

    /** No worker looks at the object any more, or will. */
    void workerLeft(ObjectQueue queue) {
        count(queue, -1);
        queue.workerLeft();
        count(queue, 1);
    }

    /** Adds an event to the object's queue, as {@link ObjectQueue#offer} does. */
    void offer(ObjectQueue queue, QueuedEvent event, boolean onlyNewest) {
        count(queue, -1);
        queue.offer(event, onlyNewest, nanos.getAsLong());
        count(queue, 1);
    }

    /** Takes the oldest event of the object; null if there is none. */
    @Nullable QueuedEvent poll(ObjectQueue queue) {
        count(queue, -1);
        QueuedEvent event = queue.poll();
        count(queue, 1);
        return event;
    }

    /** An event that was taken is to be taken again, before all others of the object. */
    void putBack(ObjectQueue queue, QueuedEvent event) {
        count(queue, -1);
        queue.putBack(event, nanos.getAsLong());
        count(queue, 1);
    }

    private void count(ObjectQueue queue, int sign) {
        int listed = queue.listedEvents();
        queuedListed += sign * listed;
        queuedChanges += sign * (queue.queuedEvents() - listed);
        atWork += queue.hasWorker() || queue.queuedEvents() > 0 ? sign : 0;
    }

    /** Drops everything that is to be done for the object. */
    void dropWork(ObjectQueue queue) {
        count(queue, -1);
        queue.dropWork();
        count(queue, 1);
    }

    /** The daemons and timers of all objects that have any. */
    List<ObjectDaemons> daemons() {
        return queues.all()
                .map(queue -> queue.memory().daemons())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The objects by their uids. Nearly all have UUIDs, which servers choose at random, and take a slot each; a map
     * would take 32 bytes more for each. Objects whose uid is something else may have been named by anybody, and are in
     * a map. Guarded by the dispatcher's monitor.
     */
    static final class ObjectTable {
        private static final int SLOTS_MIN = 16;
        private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

        /** An object is in the slot that its uid tells, or in one of the next ones, without a gap between. */
        private @Nullable ObjectQueue[] slots = new @Nullable ObjectQueue[SLOTS_MIN];

        private int used;
        private final Map<String, ObjectQueue> others = new HashMap<>();

        /** All objects, as long as none comes or goes. */
        Stream<ObjectQueue> all() {
            return Stream.concat(Arrays.stream(slots).filter(Objects::nonNull), others.values().stream());
        }

        @Nullable ObjectQueue find(CompactUid uid) {
            return uid.text() == null ? slots[slot(uid)] : others.get(uid.text());
        }

        /** Adds an object whose uid is not there yet. */
        void add(ObjectQueue queue) {
            CompactUid uid = queue.memory().compactUid();
            if (uid.text() != null) {
                others.put(uid.text(), queue);
                return;
            }
            if (used >= slots.length / 4 * 3) {
                @Nullable ObjectQueue[] before = slots;
                slots = new @Nullable ObjectQueue[before.length * 2];
                for (ObjectQueue each : before) {
                    place(each);
                }
            }
            place(queue);
            used++;
        }

        /** Removes the object, if it is there. */
        void remove(ObjectQueue queue) {
            CompactUid uid = queue.memory().compactUid();
            if (uid.text() != null) {
                others.remove(uid.text());
                return;
            }
            int slot = slot(uid);
            if (slots[slot] == null) {
                return;
            }
            slots[slot] = null;
            used--;
            // The next ones may have been put there as their slots were taken.
            for (slot = next(slot); slots[slot] != null; slot = next(slot)) {
                ObjectQueue moved = slots[slot];
                slots[slot] = null;
                place(moved);
            }
        }

        private void place(@Nullable ObjectQueue queue) {
            if (queue != null) {
                slots[slot(queue.memory().compactUid())] = queue;
            }
        }

        /** The slot of the object with that uid; the one for it if it is not there. */
        private int slot(CompactUid uid) {
            long mixed = (uid.high() ^ Long.rotateLeft(uid.low(), 32)) * GOLDEN_RATIO;
            int slot = (int) (mixed >>> 32) & (slots.length - 1);
            ObjectQueue found = slots[slot];
            while (found != null && !found.memory().compactUid().equals(uid)) {
                slot = next(slot);
                found = slots[slot];
            }
            return slot;
        }

        private int next(int slot) {
            return (slot + 1) & (slots.length - 1);
        }
    }

    /**
     * Lets the references of many objects share equal texts: their {@code apiVersion}, their kind, and their namespace,
     * which would else be a third of what an object at rest takes. It keeps a fixed number of texts, whatever has come
     * and gone. Not thread-safe.
     */
    public static final class ReferenceTexts {
        private static final int SLOTS = 256;

        private final @Nullable String[] slots = new @Nullable String[SLOTS];

        /** An equal reference, with texts of earlier ones where they are still known. */
        public ObjectReference shared(ObjectReference reference) {
            return new ObjectReference(
                    shared(reference.apiVersion()),
                    shared(reference.kind()),
                    reference.name(),
                    reference.uid(),
                    shared(reference.namespace()));
        }

        private @Nullable String shared(@Nullable String text) {
            if (text == null) {
                return null;
            }
            int hash = text.hashCode();
            int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
            String known = slots[slot];
            if (text.equals(known)) {
                return known;
            }
            slots[slot] = text;
            return text;
        }
    }

    /**
     * A stream of a resource, and how far it has come: its lists, and the newest version of any object in it. A server
     * sends the changes of a resource in their order. Written under the dispatcher's monitor; read by anybody.
     */
    static final class StreamPosition implements StreamProgress {
        /** Who has heard the server within this time hears it. */
        private static final Duration RECENTLY = Duration.ofSeconds(5);

        private final Resource resource;
        private final StreamHealth health;
        private volatile int lists;
        private volatile @Nullable String newest;
        private volatile @Nullable String listed;

        StreamPosition(Resource resource, StreamHealth health) {
            this.resource = resource;
            this.health = health;
        }

        /** A list begins. */
        void listStarted() {
            int before = lists;
            lists = before + 1;
        }

        /** An object has come in that version. */
        void reached(String version) {
            String before = newest;
            if (before == null || ResourceVersions.isAtLeast(version, before)) {
                newest = version;
            }
        }

        /** A list of that version is complete. */
        void listComplete(String version) {
            listed = version;
        }

        /** True if it has told of all changes up to that version, though not each of them may be processed. */
        boolean hasReached(String version) {
            return isAtLeast(newest, version) || isAtLeast(listed, version);
        }

        private static boolean isAtLeast(@Nullable String known, String version) {
            return known != null && ResourceVersions.isAtLeast(known, version);
        }

        /** Uses texts that all objects share, as there may be many objects. */
        @Override
        public ObjectReference reference(@Nullable String name, @Nullable String uid, @Nullable String namespace) {
            return new ObjectReference(resource.apiVersion(), resource.kind(), name, uid, namespace);
        }

        @Override
        public int currentList() {
            return lists;
        }

        @Override
        public boolean isHeldUp() {
            return health.isHearingNothing();
        }

        @Override
        public boolean willReach(String version) {
            String reached = newest;
            boolean behind = reached != null && ResourceVersions.isOlder(reached, version);
            return isHeldUp() || (behind && health.isHeard(RECENTLY));
        }
    }
}
