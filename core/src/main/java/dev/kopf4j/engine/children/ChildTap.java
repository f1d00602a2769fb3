package dev.kopf4j.engine.children;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildIndex.ChildChanges;
import dev.kopf4j.engine.children.ChildIndex.ParentKeys;
import dev.kopf4j.engine.children.LiveChild.ChildName;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What one stream of children has told, beside the handlers of the same resource. Guarded by the index. */
public final class ChildTap {
    /** Of those that were deleted or have left, for each stream. */
    private static final int DELETED_MAX = 1000;

    private static final int LEFT_MAX = 100;

    private final ChildIndex index;
    private final ChildWatch watch;
    private final ParentFinder parentFinder;
    private final @Nullable String namespace;
    private final Map<ChildName, LiveChild> children = new HashMap<>();

    /** Those that the running list has not had, and nobody else has told of since it began. */
    private Set<ChildName> unlisted = new HashSet<>();

    /**
     * The children that the operator itself has deleted, and whose stream has not told of it yet: what it tells of them
     * meanwhile is passed over. By the uid, the number of the list that had begun.
     */
    private final Map<String, Integer> deleted = new LinkedHashMap<>();

    /**
     * The operator's own children that are not seen as such any more: by the uid, the key of the parent. Most are gone;
     * others exist, and somebody has taken off whatever tells whose they are, as {@code kubectl replace} does.
     */
    private final Map<String, String> left = new LinkedHashMap<>();

    private long reached = -1;
    private int list;

    /**
     * A tap that has seen nothing.
     *
     * @param namespace where the stream looks; null for everywhere
     */
    public ChildTap(ChildIndex index, ChildWatch watch, @Nullable String namespace) {
        this.index = index;
        this.watch = watch;
        this.parentFinder = new ParentFinder(watch);
        this.namespace = namespace;
        index.begin(this);
    }

    /** What the stream is of. */
    public Resource resource() {
        return watch.resource();
    }

    ChildWatch watch() {
        return watch;
    }

    Map<ChildName, LiveChild> children() {
        return children;
    }

    /** The child of that name; null if none is known. */
    @Nullable LiveChild known(ObjectNode body) {
        return children.get(ChildName.of(body));
    }

    void put(LiveChild child) {
        children.put(child.place(), child);
        unlisted.remove(child.place());
    }

    void remove(LiveChild child) {
        children.remove(child.place());
        unlisted.remove(child.place());
    }

    /** It exists, as it was known. */
    void isThere(LiveChild child) {
        unlisted.remove(child.place());
    }

    /** A child that the operator has made belongs to the parent no longer, as far as it can be seen. */
    void left(LiveChild child, KnownChildren parent) {
        remember(left, child.uid(), parent.key(), LEFT_MAX);
    }

    /** True if the object of that uid has left the parent of that key like this. */
    boolean hasLeft(String uid, String parentKey) {
        return parentKey.equals(left.get(uid));
    }

    void listStarted() {
        list++;
        unlisted = new HashSet<>(children.keySet());
    }

    /** A list of that version is complete. Returns the children that it did not have. */
    List<LiveChild> listComplete(long version) {
        reached = version;
        // It has nothing that was deleted before it began.
        deleted.values().removeIf(each -> each < list);
        Set<ChildName> missing = unlisted;
        unlisted = new HashSet<>();
        return children.values().stream()
                .filter(child -> missing.contains(child.place()))
                .toList();
    }

    boolean isFirstList() {
        return list == 1;
    }

    boolean covers(@Nullable String other) {
        return namespace == null || namespace.equals(other);
    }

    /**
     * True if an earlier state comes late. Versions that a list brings count anew, as after a restored backup, unless
     * the newer one was seen or written since the list began.
     */
    boolean isStale(LiveChild known, ObjectNode body, boolean listed) {
        long version = ResourceVersions.number(body);
        boolean older = version >= 0
                && known.seen().version() >= 0
                && version < known.seen().version();
        return older && !(listed && unlisted.contains(known.place()));
    }

    /** The stream tells of a state of an object; false if the operator has deleted it meanwhile. */
    boolean hears(ObjectNode body, boolean listed) {
        reached = listed ? reached : Math.max(reached, ResourceVersions.number(body));
        return !deleted.containsKey(ChildChanges.uid(body));
    }

    /** The stream tells that an object is gone. */
    void hearsOfEnd(ObjectNode last) {
        reached = Math.max(reached, ResourceVersions.number(last));
        deleted.remove(ChildChanges.uid(last));
    }

    /** The operator itself has deleted an object, and it is gone. */
    void deleted(String uid) {
        remember(deleted, uid, list, DELETED_MAX);
    }

    /**
     * True if an object that the operator has written is new: one that is not known any more, though the stream has
     * come as far, is gone.
     */
    boolean isChange(ObjectNode written, @Nullable LiveChild known) {
        long version = ResourceVersions.number(written);
        boolean over = known == null ? version >= 0 && version <= reached : isStale(known, written, false);
        return !over && !deleted.containsKey(ChildChanges.uid(written));
    }

    /** A client of the operator has written an object of the resource. */
    public void written(ObjectNode body) {
        index.written(this, body);
    }

    /** A client of the operator has deleted an object, and it is gone. */
    public void writtenAway(String uid) {
        index.deleted(this, uid);
    }

    /** The stream has ended for good. */
    public void end() {
        index.end(this);
    }

    /**
     * Hears the stream, and passes on what it hears.
     *
     * @param handled true if there are handlers of the objects themselves
     * @param listing hears when all children are known
     */
    public ListAndWatchListener listener(ListAndWatchListener others, boolean handled, ChildListing listing) {
        return new ChildTapListener(index, this, others, handled, listing);
    }

    /** By what the parents of a child are known. Without the monitor, as the user's code may be asked. */
    List<String> parentKeys(ObjectNode body) {
        return parentFinder.keys(body, index.othersKinds());
    }

    /** True if it is that one. */
    boolean isOf(String apiVersion, String kind) {
        return watch.resource().apiVersion().equals(apiVersion)
                && Objects.equals(watch.resource().kind(), kind);
    }

    /**
     * Hears a stream of children, and passes on what it hears. Confined to the stream's task.
     *
     * @param handled true if there are handlers of the objects themselves
     * @param listing hears when all children are known
     */
    private record ChildTapListener(
            ChildIndex index, ChildTap tap, ListAndWatchListener others, boolean handled, ChildListing listing)
            implements ListAndWatchListener {
        @Override
        public void listStarted() throws InterruptedException {
            index.listStarted(tap);
            others.listStarted();
        }

        @Override
        public void listed(ObjectNode object) throws InterruptedException {
            index.seen(tap, complete(object), true);
            if (handled) {
                others.listed(object);
            }
        }

        @Override
        public void listComplete(String resourceVersion) throws InterruptedException {
            index.listed(tap, resourceVersion);
            listing.allListed();
            others.listComplete(resourceVersion);
        }

        @Override
        public void event(WatchEvent event) throws InterruptedException {
            ObjectNode object = complete(event.object());
            if (event.type() == WatchEvent.Type.DELETED) {
                index.gone(tap, object);
            } else {
                index.seen(tap, object, false);
            }
            if (handled) {
                others.event(event);
            }
        }

        /** If it was known before, it stays as it was: it exists. */
        @Override
        public void unreadable(UnreadableObject object) throws InterruptedException {
            if (object.name() == null || !object.deleted()) {
                index.unreadable(tap, object.namespace(), object.name());
            } else {
                index.gone(tap, identity(object));
            }
            others.unreadable(object);
        }

        private ObjectNode identity(UnreadableObject object) {
            ObjectNode body = Json.object();
            ObjectNode metadata = body.putObject("metadata").put("name", object.name());
            if (object.namespace() != null) {
                metadata.put("namespace", object.namespace());
            }
            if (object.uid() != null) {
                metadata.put("uid", object.uid());
            }
            return complete(body);
        }

        @Override
        public void alive() {
            others.alive();
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            others.disturbed(reason, failure);
            listing.disturbed(reason, failure);
        }

        /** Metadata alone comes under a kind of its own. */
        private ObjectNode complete(ObjectNode object) {
            if (!object.path("kind").asString("").equals(tap.watch().resource().kind())) {
                object.put("kind", tap.watch().resource().kind());
                object.put("apiVersion", tap.watch().resource().apiVersion());
            }
            return object;
        }
    }

    /** The eldest is forgotten where there are too many. */
    private static <V> void remember(Map<String, V> byUid, String uid, V value, int most) {
        byUid.put(uid, value);
        if (byUid.size() > most) {
            Iterator<V> eldest = byUid.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /**
     * Finds the parents of children of one resource. Thread-safe.
     *
     * @param watch why they are watched
     */
    private record ParentFinder(ChildWatch watch) {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

        /**
         * The keys of the parents, each once: uids of owners, and {@link ParentKeys names} that handlers find.
         *
         * @param othersKinds the kinds, as {@code group/Kind}, whose objects are certainly nobody's parents
         */
        List<String> keys(ObjectNode body, Set<String> othersKinds) {
            List<String> keys = new ArrayList<>(1);
            if (watch.isByOwner()) {
                for (JsonNode owner : body.path("metadata").path("ownerReferences")) {
                    String uid = owner.path("uid").asString("");
                    if (!othersKinds.contains(kind(owner)) && ParentKeys.isUid(uid)) {
                        keys.add(uid);
                    }
                }
            }
            String namespace = body.path("metadata").path("namespace").asString("");
            for (RegisteredHandler handler : watch.handlers()) {
                String name = handler.options().isByOwner() ? null : name(handler, body);
                if (name != null && !name.isEmpty()) {
                    keys.add(ParentKeys.named(handler.id(), name, namespace));
                }
            }
            return keys.size() <= 1 ? keys : keys.stream().distinct().toList();
        }

        private static String kind(JsonNode owner) {
            String version = owner.path("apiVersion").asString("");
            int slash = version.indexOf('/');
            return (slash < 0 ? "" : version.substring(0, slash)) + "/"
                    + owner.path("kind").asString("");
        }

        private static @Nullable String name(RegisteredHandler handler, ObjectNode body) {
            DeclaredOptions options = handler.options();
            String label = options.parentLabel();
            if (label != null) {
                return body.path("metadata").path("labels").path(label).asString("");
            }
            try {
                Body child = new BodyView(body);
                return options.parentBy() == null ? null : options.parentBy().apply(child);
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                log.error(
                        "{} could not find the parent of a child; it has none, as far as is known.",
                        handler,
                        Platform.tellable(e));
                return null;
            }
        }
    }

    /** Hears how far the list of children has come. Called in the stream's tasks. */
    public interface ChildListing {
        /** All children are known. */
        void allListed();

        /** The stream is broken, and is being restored; the failure is null if it was merely silent. */
        void disturbed(String reason, @Nullable Exception failure);
    }
}
