package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.posting.EventPoster.PostingQueue.Entry;
import dev.kopf4j.engine.posting.EventPoster.PostingQueue.Posted;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
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

    /**
     * Writes events as the API wants them: core {@code v1}, which is what {@code kubectl describe} shows.
     *
     * @param settings the component and instance that report the events
     */
    record KubernetesEventBody(OperatorSettings.Posting settings) {
        /** The API refuses longer messages; it counts bytes. */
        private static final int MESSAGE_MAX = 1024;

        private static final int REASON_MAX = 128;

        /** The body of a new event that has happened so many times. */
        ObjectNode of(ObjectEvent event, String namespace, Repeats repeats) {
            ObjectNode body = Json.object().put("apiVersion", "v1").put("kind", "Event");
            body.putObject("metadata").put("namespace", namespace).put("generateName", settings.eventNamePrefix());
            body.put("action", "Action?");
            body.put("type", event.type());
            body.put("reason", TextShortener.middle(reason(event), REASON_MAX));
            body.put("message", TextShortener.middle(event.message(), MESSAGE_MAX));
            body.put("reportingComponent", settings.reportingComponent());
            body.put("reportingInstance", settings.reportingInstance());
            body.putObject("source").put("component", settings.reportingComponent());
            body.set("involvedObject", reference(event.object(), namespace));
            body.put("firstTimestamp", KubernetesTimestamps.format(repeats.first()));
            body.put("lastTimestamp", KubernetesTimestamps.format(repeats.last()));
            body.put("eventTime", KubernetesTimestamps.format(repeats.first()));
            if (repeats.count() > 1) {
                body.put("count", repeats.count());
            }
            return body;
        }

        /** The change of an event that has happened again. */
        static ObjectNode repeated(Repeats repeats) {
            ObjectNode patch = Json.object().put("count", repeats.count());
            return patch.put("lastTimestamp", KubernetesTimestamps.format(repeats.last()));
        }

        /** The API refuses events without one. */
        private static String reason(ObjectEvent event) {
            return event.reason().isBlank() ? "Unspecified" : event.reason();
        }

        private static ObjectNode reference(ObjectReference object, String namespace) {
            ObjectNode reference = Json.object();
            putIfPresent(reference, "apiVersion", object.apiVersion());
            putIfPresent(reference, "kind", object.kind());
            putIfPresent(reference, "name", object.name());
            putIfPresent(reference, "uid", object.uid());
            return reference.put("namespace", namespace);
        }

        private static void putIfPresent(ObjectNode reference, String key, @Nullable String value) {
            if (value != null) {
                reference.put(key, value);
            }
        }

        /**
         * How often, and when, something has happened.
         *
         * @param first when it has happened first
         * @param last when it has happened last
         * @param count how many times
         */
        record Repeats(Instant first, Instant last, int count) {
            static Repeats once(Instant now) {
                return new Repeats(now, now, 1);
            }

            Repeats again(Instant now) {
                return new Repeats(first, now, count + 1);
            }
        }
    }
}
