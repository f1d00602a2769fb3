package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Monitor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes events of objects out of what a stream brings: lists, watch events, and the silence between. Thread-safe.
 *
 * @param monitor guards the objects, the readiness of indices, and the limits
 * @param dispatcher takes the events
 */
record StreamListener(
        Resource resource,
        Monitor monitor,
        EventDispatcher dispatcher,
        KnownObjects objects,
        StreamIndexReadiness readiness,
        BacklogLimits limits,
        StreamHealth health,
        UnreadableObjects unreadable)
        implements ListAndWatchListener {
    @Override
    public void listStarted() {
        health.listStarted();
        monitor.locked(objects::listStarted);
    }

    /** While the list is read, index functions alone are called: the list does not take long, and all wait for it. */
    @Override
    public boolean watchesWhileListing(String resourceVersion) {
        boolean watches = !dispatcher.indexes();
        if (watches) {
            monitor.locked(() -> objects.watchedFrom(resourceVersion));
            health.watchesWhileListing();
        }
        return watches;
    }

    @Override
    public void listed(ObjectNode object) throws InterruptedException {
        ObjectReference own = ObjectReference.of(object);
        dispatcher.dispatch(
                reference(own.name(), own.uid(), own.namespace()),
                QueuedEvent.parsed(RawEvent.of(WatchEventType.LISTED, object)));
    }

    @Override
    public void unreadable(UnreadableObject object) throws InterruptedException {
        ObjectReference reference = reference(object.name(), object.uid(), object.namespace());
        if (object.deleted()) {
            unreadable.readable(reference, true);
            ObjectQueue known = monitor.locked(() -> objects.find(object.uid(), object.name(), object.namespace()));
            if (known != null) {
                RawEvent event = new RawEvent(WatchEventType.DELETED, ObjectIdentity.vanished(resource, known), true);
                dispatcher.dispatch(known.reference(), QueuedEvent.parsed(event));
            }
            return;
        }
        monitor.locked(() -> objects.keep(object.uid(), object.name(), object.namespace()));
        unreadable.tell(reference, object.reason());
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        for (ObjectQueue queue : monitor.locked(objects::listComplete)) {
            RawEvent event = new RawEvent(WatchEventType.DELETED, ObjectIdentity.vanished(resource, queue), true);
            dispatcher.dispatch(queue.reference(), QueuedEvent.parsed(event));
        }
        dispatcher.listComplete(resourceVersion);
        boolean ready = monitor.locked(() -> {
            readiness.listed();
            return readiness.becomesReady();
        });
        health.listed();
        if (ready) {
            readiness.release();
        }
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        WatchEventType type = switch (event.type()) {
            case ADDED -> WatchEventType.ADDED;
            case MODIFIED -> WatchEventType.MODIFIED;
            case DELETED -> WatchEventType.DELETED;
            case BOOKMARK, ERROR, UNKNOWN ->
                throw new IllegalArgumentException("not an event of an object: " + event.type());
        };
        dispatcher.dispatch(reference(event.name(), event.uid(), event.namespace()), QueuedEvent.unparsed(type, event));
    }

    /** Uses texts that all objects share, as there may be many objects. */
    private ObjectReference reference(@Nullable String name, @Nullable String uid, @Nullable String namespace) {
        return new ObjectReference(resource.apiVersion(), resource.kind(), name, uid, namespace);
    }

    @Override
    public void alive() {
        health.alive();
        if (health.isHeldUp() && monitor.locked(() -> limits.hasRoom())) {
            health.keepsUp();
        }
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        health.disturbed(reason, failure);
    }
}
