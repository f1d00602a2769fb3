package dev.kopf4j.e2e.endurance.judgement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What the cluster has shown of all objects, by uid. Thread-safe. */
public final class Histories {
    private final Map<String, ObjectHistory> objects = new LinkedHashMap<>();
    private final Set<String> replaced = new HashSet<>();

    /** Takes a list: who is not in it has gone. */
    public synchronized void listed(List<JsonNode> items, long version) {
        long now = System.currentTimeMillis();
        Set<String> present = new HashSet<>();
        for (JsonNode item : items) {
            present.add(uid(item));
            of(item).see(item, now);
        }
        objects.forEach((uid, history) -> {
            if (!present.contains(uid)) {
                history.seeGone(version, now);
            }
        });
    }

    /** Takes an event of a watch. */
    public synchronized void changed(String type, JsonNode object) {
        long now = System.currentTimeMillis();
        if (type.equals("DELETED")) {
            of(object).seeGone(object.at("/metadata/resourceVersion").asLong(0), now);
        } else {
            of(object).see(object, now);
        }
    }

    private ObjectHistory of(JsonNode object) {
        return objects.computeIfAbsent(uid(object), uid -> new ObjectHistory(object));
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asString();
    }

    /** Somebody has put another object in the place of this one, whoever held it. */
    public synchronized void replaced(String uid) {
        replaced.add(uid);
    }

    /** Whether somebody has put another one in the place of the object. */
    synchronized boolean isReplaced(String uid) {
        return replaced.contains(uid);
    }

    /** How many objects there have ever been. */
    public synchronized int seen() {
        return objects.size();
    }

    /** The objects of which something is left to be done, by name. */
    public synchronized List<String> unsettled() {
        return objects.values().stream()
                .filter(each -> !each.isSettled())
                .map(each -> each.name() + (each.isDeleting() ? " (being deleted)" : ""))
                .toList();
    }

    /** How many objects wait for an operator to let them go. */
    public synchronized long beingDeleted() {
        return objects.values().stream()
                .filter(each -> each.exists() && each.isDeleting())
                .count();
    }

    /** All that is known now, by uid; to be read when nothing comes any more. */
    synchronized Map<String, ObjectHistory> all() {
        return new HashMap<>(objects);
    }
}
