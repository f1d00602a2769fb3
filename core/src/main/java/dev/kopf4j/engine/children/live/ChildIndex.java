package dev.kopf4j.engine.children.live;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final Map<String, KnownChildren> parents = new HashMap<>();
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

    void begin(ChildTap tap) {
        monitor.locked(() -> {
            taps.add(tap);
        });
    }

    /** The stream has ended for good: its children are not known any more. */
    void end(ChildTap tap) {
        monitor.locked(() -> {
            taps.remove(tap);
            tap.children().values().forEach(this::leaveParents);
            tap.children().clear();
        });
    }

    /** A stream tells of a child. */
    void seen(ChildTap tap, ObjectNode body, boolean listed) {
        wakeAll(monitor.locked(() -> {
            LiveChild before = tap.known(body);
            if (before != null && tap.isStale(before, body, listed)) {
                tap.put(replaced(before.listedIn(tap.list())));
                return List.of();
            }
            Reason first = !listed ? Reason.CREATE : tap.isFirstList() ? Reason.RESUME : Reason.CREATE;
            return take(tap, body, before, first, null);
        }));
    }

    /** The operator has written a child, and this is the answer of the server. */
    public void written(Resource resource, ObjectNode body, @Nullable String trouble, boolean byTest) {
        wakeAll(monitor.locked(() -> {
            ChildTap tap = tap(resource, body.path("metadata").path("namespace").asString(""));
            if (tap == null) {
                return List.<Runnable>of();
            }
            LiveChild before = tap.known(body);
            if (before != null && tap.isStale(before, body, false)) {
                return List.<Runnable>of();
            }
            return take(tap, body, before, Reason.CREATE, child -> child.settle(trouble, byTest));
        }));
    }

    /** A child turned out to be as it ought to be, unless it has changed meanwhile. */
    public void settle(LiveChild child, @Nullable String trouble, boolean byTest) {
        monitor.locked(() -> {
            ChildTap tap = tap(child.resource(), Objects.requireNonNullElse(child.namespace(), ""));
            LiveChild now = tap == null ? null : tap.children().get(ChildName.of(child));
            if (tap != null
                    && now != null
                    && now.uid().equals(child.uid())
                    && now.version() == child.version()
                    && now.mark() == child.mark()) {
                tap.put(replaced(now.settle(trouble, byTest)));
            }
        });
    }

    private List<Runnable> take(
            ChildTap tap,
            ObjectNode body,
            @Nullable LiveChild before,
            Reason first,
            @Nullable UnaryOperator<LiveChild> settling) {
        List<Runnable> told = new ArrayList<>();
        if (before != null && !before.uid().equals(uid(body))) {
            told.addAll(goneOf(tap, tap.identity(before)));
            told.addAll(take(tap, body, null, first, settling));
            return told;
        }
        List<KnownChildren> owners = owners(tap.parentKeys(body, othersKinds));
        LiveChild found = LiveChild.seen(tap.watch(), body, tap.list(), before, owners);
        boolean written = settling != null;
        LiveChild child = settling == null ? found : settling.apply(found);
        if (before != null) {
            before.parents().stream()
                    .filter(parent -> !owners.contains(parent))
                    .forEach(parent -> tell(told, leave(parent, before, body)));
        }
        if (owners.isEmpty()) {
            tap.children().remove(ChildName.of(child));
            return told;
        }
        tap.put(child);
        boolean disturbs = child.disturbsAfter(before);
        for (KnownChildren parent : owners) {
            boolean known = before != null && before.parents().contains(parent);
            parent.put(child);
            boolean news = tap.watch().isTold() && hasNews(parent, child, body, first);
            if (news || (!written && (disturbs || (!known && child.isOwn())))) {
                tell(told, parent.disturb());
            }
        }
        return told;
    }

    /** Nearly all children have one: a list of one takes half the memory of a list of any. */
    private List<KnownChildren> owners(List<String> keys) {
        return keys.size() == 1
                ? List.of(parents.computeIfAbsent(keys.getFirst(), KnownChildren::new))
                : keys.stream()
                        .map(key -> parents.computeIfAbsent(key, KnownChildren::new))
                        .toList();
    }

    private static boolean hasNews(KnownChildren parent, LiveChild child, ObjectNode body, Reason first) {
        ChildNews before = parent.news().get(child.uid());
        ChildNews now =
                before == null ? ChildNews.first(child.resource(), child.uid(), first, body) : before.next(body);
        parent.news().put(child.uid(), now);
        return !now.equals(before);
    }

    private static LiveChild replaced(LiveChild child) {
        child.parents().forEach(parent -> parent.put(child));
        return child;
    }

    /** A stream tells that a child is gone. */
    void gone(ChildTap tap, ObjectNode last) {
        wakeAll(monitor.locked(() -> goneOf(tap, last)));
    }

    private List<Runnable> goneOf(ChildTap tap, ObjectNode last) {
        LiveChild child = tap.known(last);
        List<Runnable> told = new ArrayList<>();
        if (child != null && child.uid().equals(uid(last))) {
            tap.children().remove(ChildName.of(child));
            child.parents().forEach(parent -> tell(told, leave(parent, child, last)));
        }
        return told;
    }

    private @Nullable Runnable leave(KnownChildren parent, LiveChild child, @Nullable ObjectNode last) {
        parent.remove(child.uid());
        ChildNews known = last == null ? null : parent.news().get(child.uid());
        if (known != null && last != null) {
            parent.news().put(child.uid(), known.deleted(last));
        }
        Runnable wake = parent.disturb();
        removeIfUnused(parent);
        return wake;
    }

    private void leaveParents(LiveChild child) {
        child.parents().forEach(parent -> {
            parent.remove(child.uid());
            removeIfUnused(parent);
        });
    }

    private void removeIfUnused(KnownChildren parent) {
        if (parent.isUnused()) {
            parents.remove(parent.key());
        }
    }

    /** A list is complete: the children that it did not have are gone. */
    void listed(ChildTap tap) {
        List<LiveChild> vanished = monitor.locked(() -> tap.children().values().stream()
                .filter(child -> child.list() < tap.list())
                .toList());
        for (LiveChild child : vanished) {
            gone(tap, tap.identity(child));
        }
    }

    /** A parent is there; it is woken when its children are not as they were. */
    public void parentIsThere(List<String> keys, Runnable wake) {
        monitor.locked(() -> {
            for (String key : keys) {
                parents.computeIfAbsent(key, KnownChildren::new).parentIsThere(wake);
            }
        });
    }

    /** A parent is gone. */
    public void parentIsGone(List<String> keys) {
        monitor.locked(() -> {
            for (String key : keys) {
                KnownChildren known = parents.get(key);
                if (known != null) {
                    known.parentIsGone();
                    removeIfUnused(known);
                }
            }
        });
    }

    /** True if a parent has to look at its children; from now on it need not. */
    public boolean takeDisturbance(List<String> keys) {
        return monitor.locked(() -> {
            boolean taken = false;
            for (String key : keys) {
                KnownChildren known = parents.get(key);
                taken |= known != null && known.takeDisturbance();
            }
            return taken;
        });
    }

    /** True if a parent has to look at its children. */
    public boolean isDisturbed(List<String> keys) {
        return monitor.locked(() -> keys.stream()
                .map(parents::get)
                .anyMatch(known -> known != null && (known.isDisturbed() || known.hasUntoldNews())));
    }

    /** The children of a parent by its owner references. */
    public List<LiveChild> children(String parentUid) {
        return monitor.locked(() -> {
            KnownChildren known = parents.get(parentUid);
            return known == null ? List.<LiveChild>of() : List.copyOf(known.children());
        });
    }

    /** True if one of the parents of a child is there. */
    public boolean hasParent(LiveChild child) {
        return monitor.locked(() -> child.parents().stream().anyMatch(KnownChildren::hasParent));
    }

    /** A child by its name, whomever it belongs to; null if none is known. */
    public @Nullable LiveChild find(Resource resource, @Nullable String namespace, String name) {
        return monitor.locked(() -> {
                    ChildTap tap = tap(resource, Objects.requireNonNullElse(namespace, ""));
                    return Optional.ofNullable(
                            tap == null ? null : tap.children().get(new ChildName(namespace, name)));
                })
                .orElse(null);
    }

    /** What handlers have to be told of the children that belong to a parent in one way. */
    public List<ChildNews> news(String key) {
        return monitor.locked(() -> {
            KnownChildren known = parents.get(key);
            return known == null
                    ? List.<ChildNews>of()
                    : known.news().values().stream().filter(ChildNews::isUntold).toList();
        });
    }

    /** Handlers were told that state of a child. */
    public void told(String key, ChildNews news, CompactBody state) {
        monitor.locked(() -> {
            KnownChildren known = parents.get(key);
            ChildNews now = known == null ? null : known.news().get(news.uid());
            if (known == null || now == null) {
                return;
            }
            ChildNews next = now.told(state);
            if (next.reason() == Reason.DELETE && !next.isUntold()) {
                known.news().remove(news.uid());
                removeIfUnused(known);
            } else {
                known.news().put(news.uid(), next);
            }
        });
    }

    /** The watched resource of that kind; null if there is none. */
    public @Nullable Resource resource(String apiVersion, String kind) {
        return monitor.locked(() -> Optional.ofNullable(taps.stream()
                        .map(each -> each.watch().resource())
                        .filter(each -> each.apiVersion().equals(apiVersion)
                                && each.kind().equals(kind))
                        .findFirst()
                        .orElse(null)))
                .orElse(null);
    }

    private @Nullable ChildTap tap(Resource resource, String namespace) {
        return taps.stream()
                .filter(each -> each.watch().resource().equals(resource) && each.covers(namespace))
                .findFirst()
                .orElse(null);
    }

    private static void tell(List<Runnable> told, @Nullable Runnable wake) {
        if (wake != null) {
            told.add(wake);
        }
    }

    /** Without the monitor, as parents have monitors of their own. */
    private static void wakeAll(List<Runnable> told) {
        told.forEach(Runnable::run);
    }

    private static String uid(ObjectNode body) {
        return body.path("metadata").path("uid").asString("");
    }
}
