package dev.kopf4j.devcluster.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** All objects of one resource, and the window of their last changes. Only the store writes it, under its lock. */
public final class ResourceBucket {
    private final String id;
    private final ConcurrentNavigableMap<String, StoredObject> objects = new ConcurrentSkipListMap<>();
    private final ArrayDeque<ObjectChange> window = new ArrayDeque<>();
    private final Set<WatchCursor> cursors = new LinkedHashSet<>();
    /** The oldest version after which the window has all changes. */
    private long oldestCoveredVersion;

    private long windowBytes;

    ResourceBucket(String id, long complete) {
        this.id = id;
        this.oldestCoveredVersion = complete;
    }

    /** The name of the resource that it holds. */
    public String id() {
        return id;
    }

    /** An object, or null; may be called without a lock. */
    public @Nullable StoredObject get(String namespace, String name) {
        return objects.get(StoredObject.place(namespace, name));
    }

    /** Whether there is an object in a namespace; may be called without a lock. */
    public boolean hasAny(String namespace) {
        String first = objects.ceilingKey(namespace + "/");
        return first != null && first.startsWith(namespace + "/");
    }

    /** How many objects there are. */
    public int size() {
        return objects.size();
    }

    long oldestCoveredVersion() {
        return oldestCoveredVersion;
    }

    void restore(StoredObject object) {
        objects.put(object.place(), object);
    }

    List<StoredObject> all() {
        return List.copyOf(objects.values());
    }

    void apply(ObjectChange objectChange, int windowSize) {
        StoredObject after = objectChange.after();
        if (after == null) {
            objects.remove(objectChange.object().place());
        } else {
            objects.put(after.place(), after);
        }
        window.addLast(objectChange);
        windowBytes += formerBytes(objectChange);
        if (window.size() > windowSize) {
            forgetOldest();
        }
        cursors.forEach(WatchCursor::wake);
    }

    /** How many bytes of former states the window holds; those of present objects are there anyhow. */
    long windowBytes() {
        return windowBytes;
    }

    private static int formerBytes(ObjectChange objectChange) {
        StoredObject before = objectChange.before();
        return before == null ? 0 : before.length();
    }

    /** Forgets the oldest change of the window. */
    void forgetOldest() {
        ObjectChange oldest = window.removeFirst();
        windowBytes -= formerBytes(oldest);
        oldestCoveredVersion = oldest.version();
    }

    void forget(long upTo) {
        while (!window.isEmpty() && window.getFirst().version() <= upTo) {
            forgetOldest();
        }
        oldestCoveredVersion = Math.max(oldestCoveredVersion, upTo);
        cursors.forEach(WatchCursor::wake);
    }

    void add(WatchCursor watchCursor) {
        cursors.add(watchCursor);
    }

    void remove(WatchCursor watchCursor) {
        cursors.remove(watchCursor);
    }

    List<WatchCursor> cursors() {
        return List.copyOf(cursors);
    }

    /** At most this number of changes after a version, oldest first. */
    List<ObjectChange> after(long version, int count) {
        List<ObjectChange> found = new ArrayList<>();
        if (window.isEmpty() || window.getLast().version() <= version) {
            return found;
        }
        if (window.getFirst().version() > version) {
            collect(window.iterator(), count, found);
            return found;
        }
        Iterator<ObjectChange> backwards = window.descendingIterator();
        while (backwards.hasNext()) {
            ObjectChange objectChange = backwards.next();
            if (objectChange.version() <= version) {
                break;
            }
            found.add(objectChange);
        }
        Collections.reverse(found);
        return found.size() > count ? List.copyOf(found.subList(0, count)) : found;
    }

    private static void collect(Iterator<ObjectChange> changes, int count, List<ObjectChange> into) {
        while (changes.hasNext() && into.size() < count) {
            into.add(changes.next());
        }
    }

    /** The objects of a range of keys at a version that the window still covers. */
    List<StoredObject> at(long version, String from, @Nullable String until) {
        NavigableMap<String, StoredObject> range =
                until == null ? objects.tailMap(from, true) : objects.subMap(from, true, until, false);
        if (window.isEmpty() || window.getLast().version() <= version) {
            return new ArrayList<>(range.values());
        }
        TreeMap<String, StoredObject> past = new TreeMap<>(range);
        Iterator<ObjectChange> backwards = window.descendingIterator();
        while (backwards.hasNext()) {
            ObjectChange objectChange = backwards.next();
            if (objectChange.version() <= version) {
                break;
            }
            undo(objectChange, past, from, until);
        }
        return new ArrayList<>(past.values());
    }

    private static void undo(
            ObjectChange objectChange, Map<String, StoredObject> past, String from, @Nullable String until) {
        String place = objectChange.object().place();
        if (place.compareTo(from) < 0 || (until != null && place.compareTo(until) >= 0)) {
            return;
        }
        StoredObject before = objectChange.before();
        if (before == null) {
            past.remove(place);
        } else {
            past.put(place, before);
        }
    }
}
