package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One object as its daemons and timers see it: its newest known state. Thread-safe. */
final class LiveObject {
    private final ObjectReference reference;
    private final Function<BodyView, ResourceObject> view;
    private final LiveBody body = new LiveBody();

    /** The version that daemons or timers have made, as long as the object's worker does not know of it. */
    private final AtomicReference<@Nullable String> patchedVersion = new AtomicReference<>();

    /**
     * An object of which no state is known.
     *
     * @param view the object in a state, as the user's code sees it
     */
    LiveObject(ObjectReference reference, Function<BodyView, ResourceObject> view) {
        this.reference = reference;
        this.view = view;
    }

    ObjectReference reference() {
        return reference;
    }

    /** The object with a body that is the newest known one, whenever it is read. */
    ResourceObject live() {
        return view.apply(new BodyView(body::node, reference));
    }

    /** The object as it is known now. */
    ResourceObject snapshot() {
        return live().with(body.node());
    }

    /** The state of now, parsed when it is asked for; null if none is kept. */
    @Nullable Supplier<ObjectNode> bodySnapshot() {
        return body.snapshot();
    }

    /** Takes a state unless a newer one is known; nothing happens if no state is kept. */
    void see(ObjectNode state) {
        if (body.isKept()) {
            var _ = body.becomeIfNewer(state);
        }
    }

    /**
     * Takes the newest state that the object's worker knows, whatever was known: versions may fall, as after a restored
     * backup. But it does not take the place of a newer one that daemons or timers have made, and the worker does not
     * know yet: what they have recorded there would seem to be lost.
     */
    void become(ObjectNode state) {
        body.become(state, patchedVersion::get);
    }

    /** True if a state is kept whose essence differs from that of the given one. */
    boolean differsFrom(ObjectNode state, UnaryOperator<ObjectNode> essence) {
        return body.isKept() && !JsonEquality.equal(essence.apply(body.node()), essence.apply(state));
    }

    /** A daemon or timer has changed the object; the answer is null if it has not. */
    void patched(@Nullable ObjectNode answered) {
        if (answered != null && body.isKept()) {
            // In this order: an older state that comes meanwhile finds either the version, or a body to be replaced.
            String version = ResourceVersions.of(answered);
            // The answers to two of them may come in any order.
            patchedVersion.updateAndGet(
                    known -> known != null && ResourceVersions.isOlder(version, known) ? known : version);
            var _ = body.becomeIfNewer(answered);
        }
    }

    /** The version that daemons or timers have made since the last call of this; null if there is none. */
    @Nullable String takePatchedVersion() {
        return patchedVersion.getAndSet(null);
    }

    /** Nobody looks at the state at the moment, or only for a short time. */
    void rest() {
        body.rest();
    }

    /** Nobody looks at the state any more. */
    void forgetBody() {
        body.forget();
    }

    /**
     * The newest known state of one object: in compact form, and as a tree only while somebody looks at it.
     * Thread-safe; reading never waits.
     */
    static final class LiveBody {
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

        /**
         * Takes a state, whatever was known; but if it is older than that version, only if it is newer than the known
         * one.
         */
        synchronized void become(ObjectNode body, Supplier<@Nullable String> unlessOlder) {
            String version = unlessOlder.get();
            if (version != null && ResourceVersions.isOlder(ResourceVersions.of(body), version)) {
                var _ = becomeIfNewer(body);
            } else {
                become(body);
            }
        }

        /** Takes a state unless a newer one is known; true if it was taken. */
        synchronized boolean becomeIfNewer(ObjectNode body) {
            State now = state;
            String version = ResourceVersions.of(body);
            boolean older =
                    now != null && (version.equals(now.version()) || ResourceVersions.isOlder(version, now.version()));
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
            /** The tasks of several daemons read it: they must not see a tree in part. */
            private volatile @Nullable WeakReference<ObjectNode> parsed;

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
}
