package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.CompactBody;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The newest known state of one object: in compact form, and as a tree only while somebody looks at it. Thread-safe;
 * reading never waits.
 */
final class LiveBody {
    private volatile @Nullable State state;

    /** True if there is a state. */
    boolean isKept() {
        return state != null;
    }

    /** The newest state; an empty object if there is none. Not to be changed. */
    ObjectNode node() {
        State now = state;
        return now == null ? Json.object() : now.tree();
    }

    /** The state of now, parsed when it is asked for, whatever comes or goes meanwhile; null if there is none. */
    @Nullable Supplier<ObjectNode> snapshot() {
        State now = state;
        return now == null ? null : now::tree;
    }

    /** Takes a state, whatever was known. */
    synchronized void become(ObjectNode body) {
        state = new State(CompactBody.of(body));
    }

    /** Takes a state unless a newer one is known; true if it was taken. */
    synchronized boolean becomeIfNewer(ObjectNode body) {
        State now = state;
        String version = ResourceVersions.of(body);
        boolean older = now != null
                && ResourceVersions.areNumbers(version, now.version())
                && !(ResourceVersions.isAtLeast(version, now.version()) && !version.equals(now.version()));
        if (!older) {
            become(body);
        }
        return !older;
    }

    /** Nobody looks at the state at the moment: drops the tree, which is parsed again when it is needed. */
    void rest() {
        State now = state;
        if (now != null) {
            now.parsed = null;
        }
    }

    /** Nobody needs a state any more. */
    void forget() {
        state = null;
    }

    private static final class State {
        private final CompactBody compact;
        private @Nullable WeakReference<ObjectNode> parsed;

        State(CompactBody compact) {
            this.compact = compact;
        }

        String version() {
            return compact.version();
        }

        /** Two tasks may parse the state at the same time; their trees are equal. */
        ObjectNode tree() {
            WeakReference<ObjectNode> before = parsed;
            ObjectNode known = before == null ? null : before.get();
            if (known == null) {
                known = compact.parse();
                parsed = new WeakReference<>(known);
            }
            return known;
        }
    }
}
