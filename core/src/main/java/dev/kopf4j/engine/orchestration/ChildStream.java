package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.children.ChildTap;
import dev.kopf4j.engine.children.ChildTap.ChildListing;
import dev.kopf4j.engine.children.ChildWatch;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.ObjectReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stream's part in knowing children: it holds the handlers of the parents back until all children that exist are
 * known, as otherwise they would miss them. Handlers of other resources go on. Thread-safe.
 */
final class ChildStream implements ChildListing {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final ChildTap tap;
    private final ChildWatch watch;
    private final IndexReadinessGate gate;
    private final String title;
    private final boolean handled;
    private final OperatorTrace trace;
    private volatile boolean listed;
    private volatile boolean warned;

    /**
     * A stream that has not begun.
     *
     * @param tap knows the children
     * @param watch why they are watched
     * @param gate holds handlers back
     * @param stream the title of the stream
     * @param handled true if there are handlers of the objects themselves
     * @param trace hears of the objects, if nobody else tells it of them
     */
    ChildStream(
            ChildTap tap,
            ChildWatch watch,
            IndexReadinessGate gate,
            String stream,
            boolean handled,
            OperatorTrace trace) {
        this.tap = tap;
        this.watch = watch;
        this.gate = gate;
        this.title = "the children of " + stream;
        this.handled = handled;
        this.trace = trace;
    }

    ChildTap tap() {
        return tap;
    }

    /** A list will come. */
    void begin() {
        listed = false;
        gate.block(title, watch::hasParents);
    }

    /** Hears the stream beside others. */
    ListAndWatchListener listener(ListAndWatchListener others) {
        ListAndWatchListener own = tap.listener(others, handled, this);
        return handled || !trace.hearsOfChildren() ? own : new TracedChildren(tap.resource(), trace, own);
    }

    @Override
    public void allListed() {
        listed = true;
        gate.release(title);
        if (warned) {
            warned = false;
            log.info("The handlers of {} go on: {} are listed.", watch.parents(), watch.resource());
        }
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        if (!listed && !warned) {
            warned = true;
            log.warn(
                    "K4-008: The handlers of {} wait for their children: {} cannot be listed: {}. Allow the operator to list and"
                            + " watch them, or name other kinds of children; 'kopf4j explain watches' prints the rights. All"
                            + " other handlers go on.",
                    watch.parents(),
                    watch.resource(),
                    failure == null ? reason : failure.getMessage());
        }
    }

    /** Nobody has to wait for the stream any more. */
    void end() {
        gate.release(title);
    }

    /** Forgets the children: the stream has ended for good. */
    void discard() {
        tap.end();
    }

    /**
     * Tells the trace of a stream's objects that are known as children only: no queue tells of them. For traced
     * operators. Confined to the stream's task.
     */
    private static final class TracedChildren implements ListAndWatchListener {
        private final Resource resource;
        private final OperatorTrace trace;
        private final ListAndWatchListener others;
        private final Map<String, ObjectReference> known = new HashMap<>();
        private final Set<String> listed = new HashSet<>();

        TracedChildren(Resource resource, OperatorTrace trace, ListAndWatchListener others) {
            this.resource = resource;
            this.trace = trace;
            this.others = others;
        }

        @Override
        public void listStarted() throws InterruptedException {
            listed.clear();
            others.listStarted();
        }

        @Override
        public void listed(ObjectNode object) throws InterruptedException {
            listed.add(object.path("metadata").path("uid").asString(""));
            others.listed(object);
            tell(object, WatchEventType.LISTED);
        }

        @Override
        public void listComplete(String resourceVersion) throws InterruptedException {
            others.listComplete(resourceVersion);
            Map<String, ObjectReference> vanished = new HashMap<>(known);
            vanished.keySet().removeAll(listed);
            vanished.values().forEach(each -> happened(each, WatchEventType.DELETED, ""));
            known.keySet().retainAll(listed);
        }

        @Override
        public void event(WatchEvent event) throws InterruptedException {
            others.event(event);
            tell(event.object(), type(event.type()));
        }

        @Override
        public void unreadable(UnreadableObject object) throws InterruptedException {
            others.unreadable(object);
            if (object.uid() != null) {
                listed.add(object.uid());
            }
        }

        private static WatchEventType type(WatchEvent.Type type) {
            return switch (type) {
                case ADDED -> WatchEventType.ADDED;
                case DELETED -> WatchEventType.DELETED;
                default -> WatchEventType.MODIFIED;
            };
        }

        private void happened(ObjectReference object, WatchEventType type, String version) {
            trace.happened(new OperatorStep.EventCame(resource, object, type, version, false));
        }

        private void tell(ObjectNode object, WatchEventType type) {
            ObjectReference found = ObjectReference.of(object); // metadata alone comes under a kind of its own
            ObjectReference reference = new ObjectReference(
                    resource.apiVersion(), resource.kind(), found.name(), found.uid(), found.namespace());
            String uid = found.uid() == null ? "" : found.uid();
            if (type == WatchEventType.DELETED) {
                known.remove(uid);
            } else {
                known.put(uid, reference);
            }
            String version = object.path("metadata").path("resourceVersion").asString("");
            happened(reference, type, version);
        }

        @Override
        public void alive() {
            others.alive();
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            others.disturbed(reason, failure);
        }
    }
}
