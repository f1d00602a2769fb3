package dev.kopf4j.cli.operation;

import dev.kopf4j.Resource;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks operators something about objects, by annotations, and waits until they have acknowledged it. Only the
 * annotations are written: whoever asks needs the right to patch the objects, the operator needs none in addition.
 * Immutable.
 *
 * @param platform its time
 * @param api the way to the cluster
 * @param interventions the annotations, below the prefix of the operator
 */
public record ObjectRequests(Platform platform, KubernetesApi api, Interventions interventions) {
    private static final int PAGE = 500;

    /** Puts a request into a patch of an object. */
    @FunctionalInterface
    public interface Request {
        /** Adds to the patch what is asked for. */
        void addTo(ObjectNode body, ObjectNode patch);
    }

    /**
     * Finds the objects that somebody names.
     *
     * @param names each is {@code KIND/NAME}, or with a selector {@code KIND}
     * @param selector a label selector; null if the objects are named one by one
     */
    public List<NamedObject> find(List<String> names, @Nullable String namespace, @Nullable String selector)
            throws InterruptedException {
        List<NamedObject> found = new ArrayList<>();
        for (String each : names) {
            if (selector == null) {
                found.add(NamedObject.of(api, each, namespace));
            } else if (each.contains("/")) {
                throw CommandException.usage("With --selector, name a kind, and no object: " + each);
            } else {
                Resource resource = NamedObject.resource(api, each);
                String place = NamedObject.place(api, resource, namespace);
                ListListener listener = body -> found.add(new NamedObject(
                        resource, place, body.path("metadata").path("name").asString("")));
                var _ = api.list(resource, place, new Narrowing(selector, false), PAGE, listener);
            }
        }
        return found;
    }

    /**
     * Asks for something about an object.
     *
     * @return the version of the object from which on the answer comes
     * @throws CommandException if there is no such object
     */
    public String ask(NamedObject object, Request request) throws InterruptedException {
        ObjectNode body = object.read(api).orElseThrow(() -> CommandException.usage(object + " does not exist."));
        ObjectNode patch = Json.object();
        request.addTo(body, patch);
        ObjectNode answered = patch.isEmpty()
                ? body
                : api.patch(object.resource(), object.namespace(), object.name(), null, PatchType.MERGE, patch);
        return answered.path("metadata").path("resourceVersion").asString("");
    }

    /**
     * Waits until the operator has acknowledged all that is asked about the object, or the object is gone.
     *
     * @param version what {@link #ask} has returned
     * @return false if the time was over first
     */
    public boolean await(NamedObject object, String version, Duration atMost) throws InterruptedException {
        Optional<ObjectNode> now = object.read(api);
        return isAnswered(now)
                || object.await(
                        platform, api, version, NamedObject.versionOf(now), platform.after(atMost), this::isAnswered);
    }

    private boolean isAnswered(Optional<ObjectNode> body) {
        return body.isEmpty() || interventions.areAcknowledged(body.get());
    }
}
