package dev.kopf4j.engine.chaos;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.json.Json;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Knows which daemons and timers run beside which objects. Checked when they start, and when the world is calm. */
final class DaemonTracker {
    private final WorldHistory worldHistory;
    private final Set<Companion> running = new LinkedHashSet<>();
    private final Set<Companion> endedForGood = new HashSet<>();

    DaemonTracker(WorldHistory worldHistory) {
        this.worldHistory = worldHistory;
    }

    private record Companion(int incarnation, String handler, String uid) {
        static Companion of(int incarnation, HandlerContext context) {
            return new Companion(incarnation, context.handlerId(), context.uid());
        }
    }

    void begin(int incarnation, HandlerContext context) {
        Companion companion = Companion.of(incarnation, context);
        worldHistory.note("begins: " + companion);
        if (!running.add(companion)) {
            worldHistory.violated("one call of a daemon or timer at a time per object", companion.toString());
        }
        if (endedForGood.contains(companion)) {
            worldHistory.violated("what has ended for good is not started again", companion.toString());
        }
    }

    void endsForGood(int incarnation, HandlerContext context) {
        endedForGood.add(Companion.of(incarnation, context));
    }

    void end(int incarnation, HandlerContext context) {
        Companion companion = Companion.of(incarnation, context);
        worldHistory.note("ends: " + companion);
        running.remove(companion);
    }

    boolean runBeside(int incarnation, String uid) {
        return running.stream()
                .anyMatch(
                        each -> each.incarnation() == incarnation && each.uid().equals(uid));
    }

    /** Whether an object that matches should have a daemon or timer, unless it is being deleted. */
    boolean belongTo(int incarnation, String uid, WorldPlan worldPlan) {
        return Stream.of(WorldPlan.Kind.DAEMON, WorldPlan.Kind.TIMER)
                .anyMatch(kind -> worldPlan.handlers().contains(kind)
                        && !endedForGood.contains(new Companion(incarnation, kind.id(), uid)));
    }

    /**
     * When all is calm: exactly those objects have their daemon that should, and exactly those are held that must not
     * vanish unnoticed.
     */
    void check(int incarnation, WorldPlan worldPlan, ObjectStore store) {
        Set<Companion> expected = new HashSet<>();
        for (ObjectNode object : store.all()) {
            if (!StoredState.label(object, "app").equals("web") || StoredState.isDeleting(object)) {
                continue;
            }
            Companion daemon = new Companion(incarnation, WorldPlan.Kind.DAEMON.id(), StoredState.uid(object));
            if (worldPlan.handlers().contains(WorldPlan.Kind.DAEMON) && !endedForGood.contains(daemon)) {
                expected.add(daemon);
            }
            boolean needed = worldPlan.handlers().stream().anyMatch(WorldPlan.Kind::isMandatoryDeletion)
                    || belongTo(incarnation, StoredState.uid(object), worldPlan);
            if (StoredState.FINALIZER.isOn(object) != needed) {
                worldHistory.violated("the finalizer is there as long as it is needed", Json.text(object));
            }
        }
        Set<Companion> found = new HashSet<>(running);
        found.removeIf(
                each -> each.incarnation() != incarnation || each.handler().equals(WorldPlan.Kind.TIMER.id()));
        if (!found.equals(expected)) {
            worldHistory.violated(
                    "daemons run beside those objects that should have them", found + ", not " + expected);
        }
    }
}
