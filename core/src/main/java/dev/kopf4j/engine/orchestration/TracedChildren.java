package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.object.ObjectReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells the trace of a stream's objects that are known as children only: no queue tells of them. For traced operators.
 * Confined to the stream's task.
 */
final class TracedChildren implements ListAndWatchListener {
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
        tell(object, false);
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        others.listComplete(resourceVersion);
        Map<String, ObjectReference> vanished = new HashMap<>(known);
        vanished.keySet().removeAll(listed);
        vanished.values().forEach(each -> trace.eventCame(resource, each, "", true, false));
        known.keySet().retainAll(listed);
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        others.event(event);
        tell(event.object(), event.type() == WatchEvent.Type.DELETED);
    }

    @Override
    public void unreadable(UnreadableObject object) throws InterruptedException {
        others.unreadable(object);
        if (object.uid() != null) {
            listed.add(object.uid());
        }
    }

    private void tell(ObjectNode object, boolean gone) {
        ObjectReference found = ObjectReference.of(object); // metadata alone comes under a kind of its own
        ObjectReference reference = new ObjectReference(
                resource.apiVersion(), resource.kind(), found.name(), found.uid(), found.namespace());
        String uid = found.uid() == null ? "" : found.uid();
        if (gone) {
            known.remove(uid);
        } else {
            known.put(uid, reference);
        }
        String version = object.path("metadata").path("resourceVersion").asString("");
        trace.eventCame(resource, reference, version, gone, false);
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
