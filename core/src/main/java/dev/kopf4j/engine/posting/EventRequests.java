package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.engine.posting.PostingQueue.Entry;
import dev.kopf4j.engine.posting.PostingQueue.Posted;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Monitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the requests for events. Confined to the poster's task, but for what the queue's monitor guards. */
final class EventRequests {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.posting");

    private final KubernetesApi patient;
    private final KubernetesApi impatient;
    private final KubernetesEventBody bodies;
    private final Monitor monitor;

    EventRequests(KubernetesApi api, OperatorSettings.Posting settings, Monitor monitor) {
        this.patient = api;
        this.impatient = api.with(api.settings().withErrorBackoffs());
        this.bodies = new KubernetesEventBody(settings);
        this.monitor = monitor;
    }

    /**
     * Posts an event, or counts it in the one that was posted.
     *
     * @param quick true if a failure is not worth another attempt
     */
    void send(Entry entry, boolean quick) throws InterruptedException {
        Posted posted = entry.posted;
        if (posted == null || !change(posted, entry)) {
            create(entry, quick);
        }
    }

    /** False if it cannot be changed. */
    private boolean change(Posted posted, Entry entry) throws InterruptedException {
        ObjectNode patch = KubernetesEventBody.repeated(monitor.locked(() -> entry.repeats));
        try {
            impatient.patch(WellKnownResources.EVENTS, posted.namespace(), posted.name(), null, PatchType.MERGE, patch);
            return true;
        } catch (ForbiddenException | NotFoundException e) {
            log.debug("The count of an event cannot be changed, it is posted anew: {}", e.getMessage());
            return false;
        }
    }

    private void create(Entry entry, boolean quick) throws InterruptedException {
        KubernetesApi api = quick ? impatient : patient;
        String namespace = namespace(entry.event.object(), api);
        ObjectNode body = bodies.of(entry.event, namespace, monitor.locked(() -> entry.repeats));
        ObjectNode created = api.create(WellKnownResources.EVENTS, namespace, body);
        String name = created.path("metadata").path("name").asString("");
        entry.posted = name.isEmpty() ? null : new Posted(namespace, name);
    }

    private static String namespace(ObjectReference object, KubernetesApi api) throws InterruptedException {
        return object.namespace() == null ? api.defaultNamespace() : object.namespace();
    }
}
