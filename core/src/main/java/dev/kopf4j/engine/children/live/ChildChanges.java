package dev.kopf4j.engine.children.live;

import dev.kopf4j.Reason;
import dev.kopf4j.object.CompactBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings what is known of one child and its parents up to a new state of the child, and collects whom that wakes.
 * Guarded by the index; used once.
 */
final class ChildChanges {
    private final ChildTap tap;
    private final KnownParents parents;
    private final List<Runnable> told = new ArrayList<>();

    ChildChanges(ChildTap tap, KnownParents parents) {
        this.tap = tap;
        this.parents = parents;
    }

    /** Who has to be woken: without the monitor, as parents have monitors of their own. */
    List<Runnable> told() {
        return told;
    }

    /**
     * A child is in that state.
     *
     * @param first the reason if it is seen for the first time
     * @param settling for children that the operator has just written, which is no reason to look at them again; null
     *     for others
     */
    ChildChanges take(ObjectNode body, Reason first, @Nullable UnaryOperator<LiveChild> settling) {
        LiveChild before = tap.known(body);
        if (before != null && !before.id().equals(CompactUid.of(uid(body)))) {
            gone(before.identity());
            before = null;
        }
        List<KnownChildren> owners = parents.orNew(tap.parentKeys(body));
        CompactBody kept = tap.watch().keepsBodies() && !owners.isEmpty() ? CompactBody.of(body) : null;
        ChildName place = before == null ? place(body, owners) : before.place();
        LiveChild found = LiveChild.seen(tap.watch(), body, tap.list(), before, place, owners, kept);
        LiveChild child = settling == null ? found : settling.apply(found);
        if (before != null) {
            LiveChild known = before;
            known.parents().stream()
                    .filter(parent -> !owners.contains(parent))
                    .forEach(parent -> leave(parent, known, body));
        }
        if (owners.isEmpty()) {
            tap.remove(child);
            return this;
        }
        tap.put(child);
        for (KnownChildren parent : owners) {
            parent.put(child);
            boolean notice = tap.watch().isTold() && hasNotice(parent, child, body, kept, first);
            boolean joined = before == null || !before.parents().contains(parent);
            boolean disturbs = settling == null && (child.disturbsAfter(before) || (joined && child.isOwn()));
            if (notice || disturbs) {
                disturb(parent);
            }
        }
        return this;
    }

    /** Children of one parent often have its name: they share it. */
    private static ChildName place(ObjectNode body, List<KnownChildren> owners) {
        ChildName own = ChildName.of(body);
        return owners.isEmpty() ? own : owners.getFirst().shared(own);
    }

    private static boolean hasNotice(
            KnownChildren parent, LiveChild child, ObjectNode body, @Nullable CompactBody kept, Reason first) {
        CompactBody state = kept == null ? CompactBody.of(body) : kept;
        ChildNotice before = parent.notices().get(child.uid());
        ChildNotice now = before == null
                ? ChildNotice.first(child.resource(), child.uid(), first, body, state)
                : before.next(body, state);
        parent.notices().put(child.uid(), now);
        return !now.equals(before);
    }

    /** A child is gone, and this is what was known of it last. */
    ChildChanges gone(ObjectNode last) {
        LiveChild child = tap.known(last);
        if (child != null && child.id().equals(CompactUid.of(uid(last)))) {
            tap.remove(child);
            child.parents().forEach(parent -> leave(parent, child, last));
        }
        return this;
    }

    private void leave(KnownChildren parent, LiveChild child, ObjectNode last) {
        parent.remove(child.id());
        ChildNotice known = parent.knownNews(child.uid());
        if (known != null) {
            parent.notices().put(child.uid(), known.deleted(last));
        }
        disturb(parent);
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
