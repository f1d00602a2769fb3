package dev.kopf4j.engine.children;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.children.LiveChild.ChildName;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference.CompactUid;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The children of one parent, as far as they belong to it in one way: by owner references, or by a name that a handler
 * finds. Guarded by the index.
 */
final class KnownChildren {
    private static final LiveChild[] NONE = {};

    private final List<KnownChildren> alone = List.of(this);
    private String key;
    private LiveChild[] children = NONE;
    private @Nullable Map<String, ChildNotice> notices;
    private @Nullable Runnable wake;

    /** Of a parent that is known by owner references, and lives in a namespace; null for all others. */
    private @Nullable String namespace;

    private boolean disturbed;
    private boolean toldNothing;

    KnownChildren(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** The same key, in the text that the parent has itself. */
    void key(String same) {
        key = same;
    }

    /** A list of nothing but this: nearly all children have one parent. */
    List<KnownChildren> alone() {
        return alone;
    }

    /** Those that belong to the parent, as far as it is known. */
    List<LiveChild> children() {
        return namespace == null
                ? List.of(children)
                : Arrays.stream(children).filter(this::owns).toList();
    }

    /**
     * False if the child names the parent as its owner, and lives elsewhere: whoever knows a uid may write that, and to
     * the garbage collector the parent is none.
     */
    boolean owns(LiveChild child) {
        return namespace == null || namespace.equals(child.namespace());
    }

    /** A name as a known child has it, if one has it. */
    ChildName shared(ChildName name) {
        for (LiveChild child : children) {
            if (child.place().equals(name)) {
                return child.place();
            }
        }
        return name;
    }

    void put(LiveChild child) {
        int index = indexOf(child.id());
        if (index < 0) {
            index = children.length;
            children = Arrays.copyOf(children, index + 1);
        }
        children[index] = child;
    }

    void remove(CompactUid id) {
        int index = indexOf(id);
        if (index >= 0) {
            LiveChild[] fewer = Arrays.copyOf(children, children.length - 1);
            System.arraycopy(children, index + 1, fewer, index, fewer.length - index);
            children = fewer;
        }
    }

    private int indexOf(CompactUid id) {
        for (int i = 0; i < children.length; i++) {
            if (children[i].id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The parent is there, and looks at its children when it is woken.
     *
     * @param parentNamespace where its children are, if they name it as their owner; null for anywhere
     * @param told true if its handlers are told of each child
     */
    @SuppressWarnings("ReferenceEquality") // each parent has one of its own
    void parentIsThere(@Nullable String parentNamespace, Runnable newWake, boolean told) {
        if (wake != null && wake != newWake) {
            forgetTold();
        }
        wake = newWake;
        namespace = parentNamespace;
        toldNothing = !told;
        if (toldNothing) {
            notices = null;
        } else {
            noticeKnown();
        }
    }

    /**
     * Another parent of the name was told that. What nobody was told may have happened for this one: its handlers may
     * have made a child while the worker of the other one was still busy.
     */
    private void forgetTold() {
        if (notices != null) {
            notices.values().removeIf(notice -> notice.told() != null || notice.reason() == Reason.DELETE);
            disturbed |= !notices.isEmpty();
        }
    }

    /** Children that have outlived another parent of the name are there for this one, too. */
    private void noticeKnown() {
        for (LiveChild child : children) {
            CompactBody state = child.kept();
            if (!owns(child) && notices != null) {
                // It was noticed before the parent was known.
                notices.remove(child.uid());
            } else if (owns(child) && state != null && knownNotice(child.uid()) == null) {
                long content = ChildNotice.content(state.parse());
                notices()
                        .put(
                                child.uid(),
                                ChildNotice.first(child.resource(), child.uid(), Reason.RESUME, content, state));
                disturbed = true;
            }
        }
    }

    /**
     * Objects come from another replica. If the parent is one of them, children that came meanwhile are told there, and
     * are not new: they are told as after a restart.
     */
    void othersHaveTold() {
        if (wake == null && notices != null) {
            notices.replaceAll((_, notice) -> notice.resumed());
        }
    }

    /** True if no handler of the parent is told of its children. */
    boolean isToldNothing() {
        return toldNothing;
    }

    /** True if the parent is there. */
    boolean hasParent() {
        return wake != null;
    }

    /** Another parent of the name may be there already, which is woken otherwise. */
    @SuppressWarnings("ReferenceEquality") // each parent has one of its own
    void parentIsGone(Runnable oldWake) {
        if (wake == oldWake) {
            wake = null;
            notices = null;
            toldNothing = false;
        }
    }

    /** The parent has to look; returns how it is told, null if it need not be. */
    @Nullable Runnable disturb() {
        disturbed = true;
        return wake;
    }

    /** True if the parent has to look; from now on it need not. */
    boolean takeDisturbance() {
        boolean taken = disturbed;
        disturbed = false;
        return taken;
    }

    boolean isDisturbed() {
        return disturbed;
    }

    /** What handlers know of a child; null for nothing. */
    @Nullable ChildNotice knownNotice(String uid) {
        return notices == null ? null : notices.get(uid);
    }

    /** What handlers have yet to be told. */
    List<ChildNotice> untoldNotices() {
        return notices == null
                ? List.of()
                : notices.values().stream().filter(ChildNotice::isUntold).toList();
    }

    /** Handlers were told that state of a child. */
    void told(String uid, CompactBody state) {
        ChildNotice now = knownNotice(uid);
        if (now == null) {
            return;
        }
        ChildNotice next = now.told(state);
        if (next.reason() == Reason.DELETE && !next.isUntold()) {
            notices().remove(uid);
        } else {
            notices().put(uid, next);
        }
    }

    /** What handlers are to be told, by the uids of the children. */
    Map<String, ChildNotice> notices() {
        if (notices == null) {
            notices = new LinkedHashMap<>(4);
        }
        return notices;
    }

    boolean hasUntoldNotices() {
        return notices != null && notices.values().stream().anyMatch(ChildNotice::isUntold);
    }

    /** True if nobody needs it. */
    boolean isUnused() {
        return children.length == 0 && wake == null && (notices == null || notices.isEmpty());
    }

    /**
     * What handlers of a parent know of a child, and what they have yet to be told. Immutable.
     *
     * @param resource the child's resource
     * @param uid the child's uid
     * @param told the state that they were told last; null if they were told of none
     * @param newest the state that they have to be told; null for none
     * @param reason what has happened to it
     * @param content stands for the newest state, apart from versions
     */
    record ChildNotice(
            Resource resource,
            String uid,
            @Nullable CompactBody told,
            @Nullable CompactBody newest,
            Reason reason,
            long content) {
        /** True if there is something to be told. */
        public boolean isUntold() {
            return newest != null;
        }

        /** Nothing is known yet, and the child is seen for that reason. */
        static ChildNotice first(Resource resource, String uid, Reason reason, long content, CompactBody state) {
            return new ChildNotice(resource, uid, null, state, reason, content);
        }

        /** The child is in another state; the same one is no change. */
        ChildNotice next(long now, CompactBody state) {
            if (now == content && reason != Reason.DELETE) {
                return this;
            }
            Reason merged = isUntold() && reason != Reason.DELETE ? reason : Reason.UPDATE;
            return new ChildNotice(resource, uid, told, state, merged, now);
        }

        /** The child was there before. */
        ChildNotice resumed() {
            return new ChildNotice(resource, uid, told, newest, Reason.RESUME, content);
        }

        /** The child is gone. */
        ChildNotice deleted(ObjectNode body) {
            return new ChildNotice(resource, uid, told, CompactBody.of(body), Reason.DELETE, content);
        }

        /** The handlers were told that state; what has come since then is left to be told. */
        ChildNotice told(CompactBody state) {
            boolean all = newest == state;
            Reason left = reason == Reason.DELETE ? reason : Reason.UPDATE;
            return new ChildNotice(resource, uid, state, all ? null : newest, left, content);
        }

        /** Stands for a state of a child, apart from versions. */
        static long content(ObjectNode body) {
            ObjectNode copy = body.deepCopy();
            if (copy.get("metadata") instanceof ObjectNode meta) {
                meta.remove("resourceVersion");
                meta.remove("managedFields");
                meta.remove("generation");
            }
            return Digests.of(copy);
        }
    }
}
