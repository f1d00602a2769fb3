package dev.kopf4j.engine.children.live;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * All children that the streams have told of, by their parents. Wakes a parent when a child is not as it was. What the
 * operator writes is known here at once; what streams tell later of an earlier state is passed over. Thread-safe.
 */
public final class ChildIndex {
    private final Monitor monitor;

    // Guarded by the monitor.
    private final KnownParents parents = new KnownParents();
    private final List<ChildTap> taps = new ArrayList<>();
    private Set<String> othersKinds = Set.of();

    /** An index of nothing. */
    public ChildIndex(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** The kinds, as {@code group/Kind}, whose objects are certainly nobody's parents. */
    public void exclude(Set<String> kinds) {
        monitor.locked(() -> {
            othersKinds = Set.copyOf(kinds);
        });
    }

    /** The same, for who holds the monitor. */
    Set<String> othersKinds() {
        return othersKinds;
    }

    void begin(ChildTap tap) {
        monitor.locked(() -> {
            taps.add(tap);
        });
    }

    /** The stream has ended for good: its children are not known any more. */
    void end(ChildTap tap) {
        monitor.locked(() -> {
            taps.remove(tap);
            tap.children().values().forEach(parents::forget);
            tap.children().clear();
        });
    }

    void listStarted(ChildTap tap) {
        monitor.locked(tap::listStarted);
    }

    /** A stream tells of a child. */
    void seen(ChildTap tap, ObjectNode body, boolean listed) {
        wakeAll(monitor.locked(() -> {
            LiveChild before = tap.known(body);
            if (!tap.hears(body, listed)) {
                return List.of();
            }
            if (before != null && tap.isStale(before, body, listed)) {
                tap.put(KnownParents.replaced(before.listedIn(tap.list())));
                return List.of();
            }
            Reason first = listed && tap.isFirstList() ? Reason.RESUME : Reason.CREATE;
            return new ChildChanges(tap, parents).take(body, first, null).told();
        }));
    }

    /**
     * A stream tells of a child that cannot be read: it exists, as it was known.
     *
     * @param name null if it cannot be told: then none of the children is concluded to be gone
     */
    void unreadable(ChildTap tap, @Nullable String namespace, @Nullable String name) {
        monitor.locked(() -> {
            for (LiveChild child : List.copyOf(tap.children().values())) {
                if (name == null || child.place().equals(new ChildName(namespace, name))) {
                    tap.put(KnownParents.replaced(child.listedIn(tap.list())));
                }
            }
        });
    }

    /** The operator has applied a child, and this is the answer of the server. */
    public void written(Resource resource, ObjectNode body, @Nullable String trouble, boolean byTest) {
        String namespace = body.path("metadata").path("namespace").asString("");
        wakeAll(monitor.locked(() -> {
            ChildTap tap = tap(resource, namespace);
            return tap == null ? List.<Runnable>of() : taken(tap, body, child -> child.settle(trouble, byTest));
        }));
    }

    /** A client of the operator has written an object, and this is the answer of the server. */
    void written(ChildTap tap, ObjectNode body) {
        wakeAll(monitor.locked(() -> tap.watch().isWatched(body) ? taken(tap, body, null) : List.<Runnable>of()));
    }

    private List<Runnable> taken(ChildTap tap, ObjectNode body, @Nullable UnaryOperator<LiveChild> settling) {
        return tap.isNews(body, tap.known(body))
                ? new ChildChanges(tap, parents)
                        .take(tap.watch().asStreamed(body), Reason.CREATE, settling)
                        .told()
                : List.of();
    }

    /** A client of the operator has deleted an object, and it is gone. */
    void deleted(ChildTap tap, String uid) {
        CompactUid id = CompactUid.of(uid);
        wakeAll(monitor.locked(() -> tap.children().values().stream()
                .filter(child -> child.id().equals(id))
                .findFirst()
                .map(child -> {
                    tap.deleted(uid);
                    return new ChildChanges(tap, parents).gone(child.identity()).told();
                })
                .orElse(List.of())));
    }

    /** A child turned out to be as it ought to be, unless it has changed meanwhile. */
    public void settle(LiveChild child, @Nullable String trouble, boolean byTest) {
        monitor.locked(() -> {
            ChildTap tap = tap(child.resource(), child.namespace());
            LiveChild now = tap == null ? null : tap.children().get(child.place());
            if (tap != null && now != null && now.isSameStateAs(child)) {
                tap.put(KnownParents.replaced(now.settle(trouble, byTest)));
            }
        });
    }

    /** A stream tells that a child is gone. */
    void gone(ChildTap tap, ObjectNode last) {
        wakeAll(monitor.locked(() -> {
            tap.hearsOfEnd(last);
            return new ChildChanges(tap, parents).gone(last).told();
        }));
    }

    /** A list is complete: the children that it did not have are gone. */
    void listed(ChildTap tap, String version) {
        wakeAll(monitor.locked(() -> {
            ChildChanges changes = new ChildChanges(tap, parents);
            tap.listComplete(ResourceVersions.number(version)).forEach(child -> changes.gone(child.identity()));
            return changes.told();
        }));
    }

    /** A parent is there; it is woken when its children are not as they were. */
    public void parentIsThere(List<String> keys, Runnable wake) {
        monitor.locked(() -> {
            for (String key : keys) {
                parents.ofParent(key).parentIsThere(wake);
            }
        });
    }

    /** A parent is gone. */
    public void parentIsGone(List<String> keys) {
        monitor.locked(() -> {
            for (KnownChildren known : parents.find(keys)) {
                known.parentIsGone();
                parents.removeIfUnused(known);
            }
        });
    }

    /** True if a parent has to look at its children; from now on it need not. */
    public boolean takeDisturbance(List<String> keys) {
        return monitor.locked(() -> {
            boolean taken = false;
            for (KnownChildren known : parents.find(keys)) {
                taken |= known.takeDisturbance();
            }
            return taken;
        });
    }

    /** True if a parent has to look at its children. */
    public boolean isDisturbed(List<String> keys) {
        return monitor.locked(
                () -> parents.find(keys).stream().anyMatch(known -> known.isDisturbed() || known.hasUntoldNews()));
    }

    /** The children of a parent by its owner references. */
    public List<LiveChild> children(String parentUid) {
        return children(List.of(parentUid));
    }

    /** The children of a parent by all its keys, each of them once. */
    public List<LiveChild> children(List<String> keys) {
        return monitor.locked(() -> {
            Map<CompactUid, LiveChild> found = new LinkedHashMap<>();
            parents.find(keys).forEach(known -> known.children().forEach(child -> found.put(child.id(), child)));
            return List.copyOf(found.values());
        });
    }

    /** True if one of the parents of a child is there. */
    public boolean hasParent(LiveChild child) {
        return monitor.locked(() -> child.parents().stream().anyMatch(KnownChildren::hasParent));
    }

    /** A child by its name, whomever it belongs to; null if none is known. */
    public @Nullable LiveChild find(Resource resource, @Nullable String namespace, String name) {
        return monitor.locked(() -> {
                    ChildTap tap = tap(resource, namespace);
                    return Optional.ofNullable(
                            tap == null ? null : tap.children().get(new ChildName(namespace, name)));
                })
                .orElse(null);
    }

    /** What handlers have to be told of the children that belong to a parent in one way. */
    public List<ChildNotice> notices(String key) {
        return monitor.locked(() -> {
            KnownChildren known = parents.find(key);
            return known == null ? List.<ChildNotice>of() : known.untoldNews();
        });
    }

    /** Handlers were told that state of a child. */
    public void told(String key, ChildNotice notice, CompactBody state) {
        monitor.locked(() -> {
            KnownChildren known = parents.find(key);
            if (known != null) {
                known.told(notice.uid(), state);
                parents.removeIfUnused(known);
            }
        });
    }

    /** The watched resource of that kind; null if there is none. */
    public @Nullable Resource resource(String apiVersion, String kind) {
        return monitor.locked(() -> taps.stream()
                        .filter(each -> each.isOf(apiVersion, kind))
                        .map(each -> each.watch().resource())
                        .findFirst())
                .orElse(null);
    }

    private @Nullable ChildTap tap(Resource resource, @Nullable String namespace) {
        String place = Objects.requireNonNullElse(namespace, "");
        return taps.stream()
                .filter(tap -> tap.covers(place) && tap.watch().resource().equals(resource))
                .findFirst()
                .orElse(null);
    }

    /** Without the monitor, as parents have monitors of their own. */
    private static void wakeAll(List<Runnable> told) {
        told.forEach(Runnable::run);
    }
}
