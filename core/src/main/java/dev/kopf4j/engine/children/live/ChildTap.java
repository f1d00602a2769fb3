package dev.kopf4j.engine.children.live;

import dev.kopf4j.Resource;
import dev.kopf4j.client.watching.ListAndWatchListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What one stream of children has told, beside the handlers of the same resource. Guarded by the index. */
public final class ChildTap {
    private final ChildIndex index;
    private final ChildWatch watch;
    private final ParentFinder parentFinder;
    private final @Nullable String namespace;
    private final Map<ChildName, LiveChild> children = new HashMap<>();
    private final DeletedChildren deleted = new DeletedChildren();
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
    }

    void remove(LiveChild child) {
        children.remove(child.place());
    }

    int list() {
        return list;
    }

    void listStarted() {
        list++;
    }

    /** A list of that version is complete. Returns the children that it did not have. */
    List<LiveChild> listComplete(long version) {
        reached = version;
        deleted.listed(list);
        return children.values().stream().filter(child -> child.list() < list).toList();
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
        long version = LiveChild.version(body);
        boolean older = version >= 0 && known.version() >= 0 && version < known.version();
        return older && (!listed || known.list() == list);
    }

    /** The stream tells of a state of an object; false if the operator has deleted it meanwhile. */
    boolean hears(ObjectNode body, boolean listed) {
        reached = listed ? reached : Math.max(reached, LiveChild.version(body));
        return !deleted.contains(ChildChanges.uid(body));
    }

    /** The stream tells that an object is gone. */
    void hearsOfEnd(ObjectNode last) {
        reached = Math.max(reached, LiveChild.version(last));
        deleted.remove(ChildChanges.uid(last));
    }

    /** The operator itself has deleted an object, and it is gone. */
    void deleted(String uid) {
        deleted.add(uid, list);
    }

    /**
     * True if an object that the operator has written is news: one that is not known any more, though the stream has
     * come as far, is gone.
     */
    boolean isNews(ObjectNode written, @Nullable LiveChild known) {
        long version = LiveChild.version(written);
        boolean over = known == null ? version >= 0 && version <= reached : isStale(known, written, false);
        return !over && !deleted.contains(ChildChanges.uid(written));
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

    /** By what the parents of a child are known. */
    List<String> parentKeys(ObjectNode body) {
        return parentFinder.keys(body, index.othersKinds());
    }

    /** True if it is that one. */
    boolean isOf(String apiVersion, String kind) {
        return watch.resource().apiVersion().equals(apiVersion)
                && Objects.equals(watch.resource().kind(), kind);
    }
}
