package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.registry.write.CreateVerb;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates and deletes objects as the server's own controllers do: without HTTP. Thread-safe. */
public final class ControllerClient {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerClient.class);
    private final ServerContext state;
    private final CreateVerb createVerb;
    private final AdmissionChain admissionChain;

    ControllerClient(ServerContext state, CreateVerb createVerb, AdmissionChain admissionChain) {
        this.state = state;
        this.createVerb = createVerb;
        this.admissionChain = admissionChain;
    }

    /** Deletions of single objects, which webhooks and policies may refuse. */
    public ControllerDeletion deletion() {
        return new ControllerDeletion(state, Optional.of(admissionChain), false);
    }

    /** Deletions of objects as parts of collections, which webhooks and policies may refuse. */
    public ControllerDeletion collectionDeletion() {
        return new ControllerDeletion(state, Optional.of(admissionChain), true);
    }

    /**
     * Creates an object as the administrator, which has its kind and version and is changed; {@link ApiException} if it
     * is refused.
     *
     * @param agent the name of the controller, as managed fields show it
     */
    public void create(Resource resource, ObjectNode object, String agent) {
        create(resource, object, Map.of("user-agent", agent));
    }

    /** Whether a webhook may want to see the creation of an object. */
    public boolean mayWait(Resource resource, String namespace) {
        return admissionChain.asksAboutCreation(request(resource, namespace, Map.of()));
    }

    /**
     * Warns by an event of a namespace about an object; if the event is refused, nobody hears of it.
     *
     * @param about the reference to the object
     * @param component who tells it
     */
    public void warn(ObjectNode about, String namespace, String name, String reason, String message, String component) {
        ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name).put("namespace", namespace);
        event.set("involvedObject", about);
        event.put("type", "Warning")
                .put("reason", reason)
                .put("message", message)
                .put("reportingComponent", component)
                .put("firstTimestamp", state.now())
                .put("lastTimestamp", state.now())
                .put("count", 1)
                .putObject("source")
                .put("component", component);
        Resource events = state.servedResources().find("", "v1", "events").orElseThrow();
        if (mayWait(events, namespace)) {
            state.taskScheduler().runWaiting(() -> createEvent(events, event));
        } else {
            createEvent(events, event);
        }
    }

    private void createEvent(Resource events, ObjectNode event) {
        try {
            create(events, event, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("an event is refused");
        }
    }

    /** Creates an object as the server itself does at its start. */
    public void install(Resource resource, ObjectNode object) {
        create(resource, object, Map.of());
    }

    private void create(Resource resource, ObjectNode object, Map<String, String> headers) {
        createVerb.create(request(resource, Json.string(object, "metadata", "namespace"), headers), object);
    }

    private static ResourceRequest request(Resource resource, String namespace, Map<String, String> headers) {
        ApiRequest request = ApiRequest.of("POST", "/", headers, new byte[0]);
        return new ResourceRequest(request, resource, namespace, "", "", UserInfo.ADMIN);
    }
}
