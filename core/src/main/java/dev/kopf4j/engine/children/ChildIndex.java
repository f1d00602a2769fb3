package dev.kopf4j.engine.children;

import dev.kopf4j.Body;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.ContextFactory.ChildrenLookup;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.KnownChildren.ChildNotice;
import dev.kopf4j.engine.children.LiveChild.ChildName;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.ObjectReference.CompactUid;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
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

    /** Read without the monitor. */
    private volatile Set<String> othersKinds = Set.of();

    /** An index of nothing. */
    public ChildIndex(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** The kinds, as {@code group/Kind}, whose objects are certainly nobody's parents. */
    public void exclude(Set<String> kinds) {
        othersKinds = Set.copyOf(kinds);
    }

    /** The same kinds. */
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
        List<String> keys = tap.parentKeys(body);
        change(tap, changes -> {
            LiveChild before = tap.known(body);
            if (!tap.hears(body, listed)) {
                return;
            }
            if (before != null && tap.isStale(before, body, listed)) {
                tap.isThere(before);
            } else {
                changes.take(body, keys, listed && tap.isFirstList() ? Reason.RESUME : Reason.CREATE, null);
            }
        });
    }

    /**
     * A stream tells of a child that cannot be read: it exists, as it was known.
     *
     * @param name null if it cannot be told: then none of the children is concluded to be gone
     */
    void unreadable(ChildTap tap, @Nullable String namespace, @Nullable String name) {
        monitor.locked(() -> {
            tap.children().values().stream()
                    .filter(child -> name == null || child.place().equals(new ChildName(namespace, name)))
                    .forEach(tap::isThere);
        });
    }

    /** The operator has applied a child, and this is the answer of the server. */
    public void written(Resource resource, ObjectNode body, @Nullable String trouble, boolean byTest) {
        String namespace = body.path("metadata").path("namespace").asString("");
        monitor.locked(() -> Optional.ofNullable(tap(resource, namespace)))
                .ifPresent(tap -> written(tap, body, child -> child.settle(trouble, byTest)));
    }

    /** A client of the operator has written an object, and this is the answer of the server. */
    void written(ChildTap tap, ObjectNode body) {
        if (tap.watch().isWatched(body)) {
            written(tap, body, null);
        }
    }

    private void written(ChildTap tap, ObjectNode body, @Nullable UnaryOperator<LiveChild> settling) {
        ObjectNode streamed = tap.watch().asStreamed(body);
        List<String> keys = tap.parentKeys(streamed);
        change(tap, changes -> {
            if (taps.contains(tap) && tap.isChange(body, tap.known(body))) {
                changes.take(streamed, keys, Reason.CREATE, settling);
            }
        });
    }

    /** A client of the operator has deleted an object, and it is gone. */
    void deleted(ChildTap tap, String uid) {
        CompactUid id = CompactUid.of(uid);
        change(
                tap,
                changes -> tap.children().values().stream()
                        .filter(child -> child.id().equals(id))
                        .findFirst()
                        .ifPresent(child -> {
                            tap.deleted(uid);
                            changes.gone(child.shown());
                        }));
    }

    /** A child turned out to be as it ought to be, unless it has changed meanwhile. */
    public void settle(LiveChild child, @Nullable String trouble, boolean byTest) {
        monitor.locked(() -> {
            ChildTap tap = tap(child.resource(), child.namespace());
            LiveChild now = tap == null ? null : tap.children().get(child.place());
            if (tap != null && now != null && now.isSameStateAs(child)) {
                LiveChild settled = now.settle(trouble, byTest);
                settled.parents().forEach(parent -> parent.put(settled));
                tap.put(settled);
            }
        });
    }

    /** A stream tells that a child is gone. */
    void gone(ChildTap tap, ObjectNode last) {
        change(tap, changes -> {
            tap.hearsOfEnd(last);
            changes.gone(last);
        });
    }

    /** A list is complete: the children that it did not have are gone. */
    void listed(ChildTap tap, String version) {
        change(
                tap,
                changes -> tap.listComplete(ResourceVersions.number(version))
                        .forEach(child -> changes.gone(child.shown())));
    }

    /**
     * A parent is there; it is woken when its children are not as they were.
     *
     * @param namespace where it is: an owner has its dependents there, and nowhere else; null if it is cluster-scoped
     * @param told true if its handlers are told of each child
     */
    public void parentIsThere(List<String> keys, @Nullable String namespace, Runnable wake, boolean told) {
        monitor.locked(() -> {
            for (String key : keys) {
                parents.ofParent(key).parentIsThere(ParentKeys.isUid(key) ? namespace : null, wake, told);
            }
        });
    }

    /** Parents come from other replicas, which have told their handlers of the children that were made meanwhile. */
    public void parentsComeFromOthers() {
        monitor.locked(() -> parents.all().forEach(KnownChildren::othersHaveTold));
    }

    /**
     * A parent is gone. Another one of its name may be there already.
     *
     * @param wake what it was woken by
     */
    public void parentIsGone(List<String> keys, Runnable wake) {
        monitor.locked(() -> {
            for (KnownChildren known : parents.find(keys)) {
                known.parentIsGone(wake);
                parents.removeIfUnused(known);
            }
        });
    }

    /** A parent has to look at its children again. */
    public void disturb(List<String> keys) {
        monitor.locked(() -> parents.find(keys).forEach(KnownChildren::disturb));
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
                () -> parents.find(keys).stream().anyMatch(known -> known.isDisturbed() || known.hasUntoldNotices()));
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
        return monitor.locked(
                () -> child.parents().stream().anyMatch(parent -> parent.hasParent() && parent.owns(child)));
    }

    /** A child by its name, whomever it belongs to; null if none is known. */
    public @Nullable LiveChild find(Resource resource, @Nullable String namespace, String name) {
        return monitor.locked(() -> {
            ChildTap tap = tap(resource, namespace);
            return tap == null ? null : tap.children().get(new ChildName(namespace, name));
        });
    }

    /**
     * True if the object of that uid was seen as a child that the operator has made for that parent, and is not now.
     */
    boolean wasChild(Resource resource, @Nullable String namespace, String uid, String parentUid) {
        return monitor.locked(() -> {
            ChildTap tap = tap(resource, namespace);
            return tap != null && tap.hasLeft(uid, parentUid);
        });
    }

    /** What handlers have to be told of the children that belong to a parent in one way. */
    public List<ChildNotice> notices(String key) {
        return monitor.locked(() -> {
            KnownChildren known = parents.find(key);
            return known == null ? List.<ChildNotice>of() : known.untoldNotices();
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

    private void change(ChildTap tap, Consumer<ChildChanges> change) {
        ChildChanges changes = new ChildChanges(tap, parents);
        monitor.locked(() -> change.accept(changes));
        // Without the monitor, as parents have monitors of their own.
        changes.told.forEach(Runnable::run);
    }

    /** The parents of known children, and those that are there without any, by their keys. Guarded by the index. */
    static final class KnownParents {
        private final Map<String, KnownChildren> byKey = new HashMap<>();

        @Nullable KnownChildren find(String key) {
            return byKey.get(key);
        }

        Collection<KnownChildren> all() {
            return byKey.values();
        }

        List<KnownChildren> find(List<String> keys) {
            return keys.stream().map(byKey::get).filter(Objects::nonNull).toList();
        }

        List<KnownChildren> orNew(List<String> keys) {
            return keys.size() == 1
                    ? orNew(keys.getFirst()).alone()
                    : keys.stream().map(this::orNew).toList();
        }

        KnownChildren orNew(String key) {
            return byKey.computeIfAbsent(key, KnownChildren::new);
        }

        /** A parent is there: it is known by its own text from now on, as texts of uids are long. */
        KnownChildren ofParent(String key) {
            KnownChildren known = byKey.remove(key);
            KnownChildren found = known == null ? new KnownChildren(key) : known;
            found.key(key);
            byKey.put(key, found);
            return found;
        }

        void removeIfUnused(KnownChildren known) {
            if (known.isUnused()) {
                byKey.remove(known.key());
            }
        }

        /** A child is not known any more, though nobody has told that it is gone. */
        void forget(LiveChild child) {
            for (KnownChildren parent : new ArrayList<>(child.parents())) {
                parent.remove(child.id());
                removeIfUnused(parent);
            }
        }
    }

    /**
     * Brings what is known of one child and its parents up to a new state of the child, and collects whom that wakes.
     * Guarded by the index; used once.
     */
    static final class ChildChanges {
        private final ChildTap tap;
        private final KnownParents parents;
        /** Who has to be woken. */
        private final List<Runnable> told = new ArrayList<>();

        private @Nullable Long content;

        ChildChanges(ChildTap tap, KnownParents parents) {
            this.tap = tap;
            this.parents = parents;
        }

        /**
         * A child is in that state.
         *
         * @param keys of its parents, found without the monitor: that may call the user's code
         * @param first the reason if it is seen for the first time
         * @param settling for children that the operator has just written, which is no reason to look at them again;
         *     null for others
         */
        void take(ObjectNode body, List<String> keys, Reason first, @Nullable UnaryOperator<LiveChild> settling) {
            LiveChild before = tap.known(body);
            if (before != null && !before.id().equals(CompactUid.of(uid(body)))) {
                gone(before.shown());
                before = null;
            }
            List<KnownChildren> owners = parents.orNew(keys);
            CompactBody kept = tap.watch().keepsBodies() && !owners.isEmpty() ? CompactBody.of(body) : null;
            ChildName place = before == null ? place(body, owners) : before.place();
            LiveChild found = LiveChild.seen(tap.watch(), body, before, place, owners, kept);
            LiveChild child = settling == null ? found : settling.apply(found);
            Collection<KnownChildren> ownersBefore = before == null ? List.of() : lookup(before.parents());
            if (before != null) {
                LiveChild known = before;
                Collection<KnownChildren> ownersNow = lookup(owners);
                known.parents().stream()
                        .filter(parent -> !ownersNow.contains(parent))
                        .forEach(parent -> leave(parent, known, body));
            }
            if (owners.isEmpty()) {
                tap.remove(child);
                return;
            }
            tap.put(child);
            for (KnownChildren parent : owners) {
                parent.put(child);
                if (!parent.owns(child)) {
                    continue;
                }
                boolean joined = !ownersBefore.contains(parent);
                // What was known before its parent came back, from another replica, is not new.
                boolean notice =
                        tap.watch().isTold() && hasNotice(parent, child, body, kept, joined ? first : Reason.RESUME);
                boolean disturbs = settling == null && (child.disturbsAfter(before) || (joined && child.isOwn()));
                if (notice || disturbs) {
                    disturb(parent);
                }
            }
        }

        /** The same, for many questions whether one is among them: an object may name thousands of owners. */
        private static Collection<KnownChildren> lookup(List<KnownChildren> some) {
            return some.size() > 8 ? new HashSet<>(some) : some;
        }

        /** Children of one parent often have its name: they share it. */
        private static ChildName place(ObjectNode body, List<KnownChildren> owners) {
            ChildName own = ChildName.of(body);
            return owners.isEmpty() ? own : owners.getFirst().shared(own);
        }

        private boolean hasNotice(
                KnownChildren parent, LiveChild child, ObjectNode body, @Nullable CompactBody kept, Reason first) {
            if (parent.isToldNothing()) {
                return false;
            }
            CompactBody state = kept == null ? CompactBody.of(body) : kept;
            long content = content(body);
            ChildNotice before = parent.notices().get(child.uid());
            ChildNotice now = before == null
                    ? ChildNotice.first(child.resource(), child.uid(), first, content, state)
                    : before.next(content, state);
            parent.notices().put(child.uid(), now);
            return !now.equals(before);
        }

        /** Of the one state that is taken, for all its owners. */
        private long content(ObjectNode body) {
            if (content == null) {
                content = ChildNotice.content(body);
            }
            return content;
        }

        /** A child is gone, and this is what was known of it last. */
        void gone(ObjectNode last) {
            LiveChild child = tap.known(last);
            if (child != null && child.id().equals(CompactUid.of(uid(last)))) {
                tap.remove(child);
                child.parents().forEach(parent -> leave(parent, child, last));
            }
        }

        private void leave(KnownChildren parent, LiveChild child, ObjectNode last) {
            parent.remove(child.id());
            // Streams of children with the operator's label tell of one that has lost it as of one that is gone.
            boolean mayExist = !DeletionState.isRequested(last);
            if (mayExist && child.isMade() && parent.hasParent() && parent.owns(child)) {
                tap.left(child, parent);
            }
            ChildNotice known = parent.knownNotice(child.uid());
            if (known != null && parent.hasParent()) {
                parent.notices().put(child.uid(), known.deleted(last));
            } else if (known != null) {
                // A parent that comes later has never known that child.
                parent.notices().remove(child.uid());
            }
            if (parent.owns(child)) {
                disturb(parent);
            }
            parents.removeIfUnused(parent);
        }

        private void disturb(KnownChildren parent) {
            Runnable wake = parent.disturb();
            if (wake != null) {
                told.add(wake);
            }
        }

        static String uid(ObjectNode body) {
            return body.path("metadata").path("uid").asString("");
        }
    }

    /**
     * The children of objects, as far as the streams, and the operator's own writes, have told of them. Thread-safe.
     *
     * @param index the children that exist
     * @param registry knows who watches them
     */
    public record LiveChildren(ChildIndex index, HandlerRegistry registry) implements ChildrenLookup {
        @Override
        public List<Body> of(ResourceObject parent) {
            List<RegisteredHandler> handlers = registry.of(parent.resource()).children();
            if (handlers.isEmpty()) {
                throw new IllegalStateException("no kind is watched for children of " + parent.resource()
                        + "; name them in @OnReconcile(children = ...) or @OnChild(parent = ...)");
            }
            List<String> keys = ParentKeys.of(String.valueOf(parent.reference().uid()), parent.reference(), handlers);
            return index.children(keys).stream()
                    .map(child -> (Body) new BodyView(child.shown()))
                    .toList();
        }
    }

    /** By what children know their parents: by the uid of an owner, or by a name that a handler finds. Pure. */
    public static final class ParentKeys {
        /** All names have it, and no uid. */
        private static final char BAR = '|';

        private ParentKeys() {}

        /** All keys of an object whose handlers these are; that of its children by owner references is the first. */
        public static List<String> of(String uid, ObjectReference reference, List<RegisteredHandler> handlers) {
            List<String> keys = new ArrayList<>(1);
            keys.add(uid);
            handlers.stream()
                    .filter(handler -> !handler.options().isByOwner())
                    .forEach(handler -> keys.add(named(handler, reference)));
            return keys.size() == 1 ? List.of(uid) : keys;
        }

        /** The key of an object for a handler that finds parents by name. */
        public static String named(RegisteredHandler handler, ObjectReference reference) {
            return key(handler.id(), reference.namespace(), String.valueOf(reference.name()));
        }

        /** The key of the parent of a child in that namespace. */
        static String named(String handler, String name, String namespace) {
            int slash = name.indexOf('/');
            return slash < 0
                    ? key(handler, namespace, name)
                    : key(handler, name.substring(0, slash), name.substring(slash + 1));
        }

        /**
         * True if a text may be the uid of an owner. Servers make UUIDs, and take any text as that of an owner: no such
         * text may stand for a name.
         */
        static boolean isUid(String text) {
            return text.indexOf(BAR) < 0;
        }

        private static String key(String handler, @Nullable String namespace, String name) {
            return handler + BAR + (namespace == null ? "" : namespace) + "/" + name;
        }
    }
}
