package dev.kopf4j.engine.children.live;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The children that the operator itself has deleted, and whose stream has not told of it yet: what it tells of them
 * meanwhile is passed over. Guarded by the index.
 */
final class DeletedChildren {
    private static final int REMEMBERED_MAX = 1000;

    /** By the uid, the number of the list that had begun. */
    private final Map<String, Integer> lists = new LinkedHashMap<>();

    void add(String uid, int list) {
        lists.put(uid, list);
        if (lists.size() > REMEMBERED_MAX) {
            Iterator<Integer> eldest = lists.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    boolean contains(String uid) {
        return lists.containsKey(uid);
    }

    /** The stream has told of it. */
    void remove(String uid) {
        lists.remove(uid);
    }

    /** A list is complete: it has nothing that was deleted before it began. */
    void listed(int list) {
        lists.values().removeIf(each -> each < list);
    }
}
