package dev.kopf4j.engine.children.live;

import dev.kopf4j.Reason;
import dev.kopf4j.object.CompactBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The children of one parent, as far as they belong to it in one way: by owner references, or by a name that a handler
 * finds. Guarded by the index.
 */
final class KnownChildren {
    private final String key;
    private final List<LiveChild> children = new ArrayList<>(3);
    private @Nullable Map<String, ChildNews> news;
    private @Nullable Runnable wake;
    private boolean disturbed;

    KnownChildren(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    List<LiveChild> children() {
        return children;
    }

    void put(LiveChild child) {
        children.removeIf(each -> each.uid().equals(child.uid()));
        children.add(child);
    }

    void remove(String uid) {
        children.removeIf(each -> each.uid().equals(uid));
    }

    /** The parent is there, and looks at its children when it is woken. */
    void parentIsThere(Runnable newWake) {
        wake = newWake;
    }

    /** True if the parent is there. */
    boolean hasParent() {
        return wake != null;
    }

    void parentIsGone() {
        wake = null;
        news = null;
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
    @Nullable ChildNews knownNews(String uid) {
        return news == null ? null : news.get(uid);
    }

    /** What handlers have yet to be told. */
    List<ChildNews> untoldNews() {
        return news == null
                ? List.of()
                : news.values().stream().filter(ChildNews::isUntold).toList();
    }

    /** Handlers were told that state of a child. */
    void told(String uid, CompactBody state) {
        ChildNews now = knownNews(uid);
        if (now == null) {
            return;
        }
        ChildNews next = now.told(state);
        if (next.reason() == Reason.DELETE && !next.isUntold()) {
            news().remove(uid);
        } else {
            news().put(uid, next);
        }
    }

    /** What handlers are to be told, by the uids of the children. */
    Map<String, ChildNews> news() {
        Map<String, ChildNews> found = news;
        if (found == null) {
            found = new LinkedHashMap<>(4);
            news = found;
        }
        return found;
    }

    boolean hasUntoldNews() {
        return news != null && news.values().stream().anyMatch(ChildNews::isUntold);
    }

    /** True if nobody needs it. */
    boolean isUnused() {
        return children.isEmpty() && wake == null && (news == null || news.isEmpty());
    }
}
