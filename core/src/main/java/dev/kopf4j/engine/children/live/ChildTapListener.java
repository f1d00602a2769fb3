package dev.kopf4j.engine.children.live;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hears a stream of children, and passes on what it hears. Confined to the stream's task.
 *
 * @param handled true if there are handlers of the objects themselves
 * @param listing hears when all children are known
 */
record ChildTapListener(
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
