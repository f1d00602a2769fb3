package dev.kopf4j.testing.environment;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects in one namespace that operators hold back from their deletion by finalizers. Thread-safe.
 *
 * @param client the client
 * @param platform the machine
 * @param namespace where they are; no others are touched
 * @param resources of which resources they may be
 * @param finalizers those of the operators; no others are touched
 */
record HeldObjects(
        KubernetesClient client,
        Platform platform,
        String namespace,
        Supplier<Set<Resource>> resources,
        Supplier<List<Finalizer>> finalizers) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.testing");
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int ATTEMPTS = 5;

    private record Held(Resource resource, ObjectNode object) {
        String name() {
            return object.path("metadata").path("name").asString("");
        }

        boolean isBeingDeleted() {
            return object.path("metadata").has("deletionTimestamp");
        }
    }

    /** Deletes them, and waits until none is left, nobody is there who would let them go, or the time is over. */
    void delete(BooleanSupplier over, Duration patience) throws InterruptedException {
        Deadline deadline = platform.after(patience);
        for (List<Held> held = held(); !held.isEmpty(); held = held()) {
            if (over.getAsBoolean() || deadline.hasPassed(platform)) {
                return;
            }
            held.stream().filter(each -> !each.isBeingDeleted()).forEach(this::delete);
            platform.sleep(PAUSE);
        }
    }

    private void delete(Held held) {
        at(held).delete();
    }

    /** Takes the finalizers off them: whoever would have done that does not run any more. */
    void free() {
        List<Held> held = held();
        for (int attempt = 0; attempt < ATTEMPTS && !held.isEmpty(); attempt++) {
            held.forEach(this::free);
            held = held();
        }
        held.forEach(each -> log.warn(
                "{} {}/{} is still held, so that its namespace will stay: take its finalizers off.",
                each.resource().kind(),
                namespace,
                each.name()));
    }

    private void free(Held held) {
        ObjectNode object = held.object().deepCopy();
        finalizers.get().forEach(each -> each.removeFrom(object));
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.set("resourceVersion", object.path("metadata").path("resourceVersion"));
        metadata.set("finalizers", object.path("metadata").path("finalizers"));
        if (metadata.path("finalizers").isMissingNode()) {
            metadata.putNull("finalizers");
        }
        try {
            at(held).patch(PatchContext.of(PatchType.JSON_MERGE), Json.text(patch));
        } catch (KubernetesClientException e) {
            // It has changed or is gone: whoever looks again sees what is left to do.
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> at(Held held) {
        ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
                .withGroup(held.resource().group())
                .withVersion(held.resource().version())
                .withPlural(held.resource().plural())
                .withKind(held.resource().kind())
                .withNamespaced(true)
                .build();
        return client.genericKubernetesResources(context).inNamespace(namespace).withName(held.name());
    }

    private List<Held> held() {
        List<Held> held = new ArrayList<>();
        resources
                .get()
                .forEach(resource -> objects(resource)
                        .filter(object -> finalizers.get().stream().anyMatch(each -> each.isOn(object)))
                        .forEach(object -> held.add(new Held(resource, object))));
        return held;
    }

    private Stream<ObjectNode> objects(Resource resource) {
        String text = client.raw(ClusterView.collection(resource, Optional.of(namespace)));
        return text == null
                ? Stream.empty() // its definition is gone, and its objects with it
                : Json.parse(text).path("items").valueStream().map(JsonNode::asObject);
    }
}
