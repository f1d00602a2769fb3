package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.connection.Connection;
import dev.kopf4j.client.connection.Connections;
import dev.kopf4j.client.discovery.Discovery;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.LoginException;
import dev.kopf4j.client.error.Target;
import dev.kopf4j.client.list.ListListener;
import dev.kopf4j.client.list.ListResult;
import dev.kopf4j.client.list.Listing;
import dev.kopf4j.client.request.FailureListener;
import dev.kopf4j.client.request.Fence;
import dev.kopf4j.client.request.RequestListener;
import dev.kopf4j.client.request.Requests;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.watch.WatchOptions;
import dev.kopf4j.client.watch.WatchStream;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Kubernetes API as the framework needs it: discovery, lists, watches, and changes of single objects.
 *
 * <p>Each method waits until its request is done, retries included; it throws {@link ApiException} for a refusal,
 * {@link ConnectionFailedException} if there is no answer, {@link LoginException} if there are no valid credentials.
 * Thread-safe.
 */
public final class KubernetesApi {
    private static final String JSON = "application/json";

    private final Requests requests;

    /** An API behind connections that renew themselves. */
    public KubernetesApi(Platform platform, Connections connections, NetworkSettings settings) {
        this(platform, connections, settings, RequestListener.NONE);
    }

    /** The same, with somebody who hears of each request. */
    public KubernetesApi(
            Platform platform, Connections connections, NetworkSettings settings, RequestListener listener) {
        this.requests = new Requests(platform, connections, settings, listener);
    }

    /** An API behind a single transport. */
    public KubernetesApi(Platform platform, Transport transport, NetworkSettings settings) {
        this(platform, Connections.fixed(new Connection(transport, "the API server", "default")), settings);
    }

    private KubernetesApi(Requests requests) {
        this.requests = requests;
    }

    /** The same API with other timeouts and retries. */
    public KubernetesApi with(NetworkSettings settings) {
        return new KubernetesApi(requests.with(settings));
    }

    /** The same API, whose requests with complete answers are sent within limits; streams are not concerned. */
    public KubernetesApi fenced(Fence fence) {
        return new KubernetesApi(requests.fenced(fence));
    }

    /** The settings in use. */
    public NetworkSettings settings() {
        return requests.settings();
    }

    /** The namespace of the credentials in use: where events of cluster-scoped objects go. */
    public String defaultNamespace() throws InterruptedException {
        return requests.connections().current().defaultNamespace();
    }

    /** The address of the server in use. */
    public String server() throws InterruptedException {
        return requests.connections().current().server();
    }

    /** What the cluster serves. */
    public Discovery discovery() {
        return new Discovery(requests);
    }

    /**
     * Reads a collection page by page, and hands over object by object: no page is ever in memory as a whole.
     *
     * @param namespace where to look; null for everywhere
     * @param pageSize how many objects a page has; 0 for all of them
     * @throws ConnectionFailedException also if the connection breaks on the way; some objects were handed over then
     */
    public ListResult list(Resource resource, @Nullable String namespace, int pageSize, ListListener each)
            throws InterruptedException {
        return new Listing(requests, resource, namespace, each).read(pageSize);
    }

    /**
     * Opens a stream of events, which the caller closes.
     *
     * @param namespace where to look; null for everywhere
     * @param resourceVersion after which version the events begin; empty for what exists, then from now on
     * @param listener hears of the attempts that have failed
     */
    public WatchStream watch(
            Resource resource,
            @Nullable String namespace,
            String resourceVersion,
            WatchOptions options,
            FailureListener listener)
            throws InterruptedException {
        return WatchStream.open(requests, resource, namespace, resourceVersion, options, listener);
    }

    /** Changes an object or a subresource of it; answers the object after it. */
    public ObjectNode patch(
            Resource resource,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            PatchType type,
            JsonNode payload)
            throws InterruptedException {
        Target target = new Target("patch", resource, namespace, name, subresource, "");
        String path = resource.url(namespace, name, subresource, Map.of());
        return change(target, "PATCH", path, type.mediaType(), payload);
    }

    /**
     * Creates an object; answers it as stored.
     *
     * <p>Not repeated once the server may have created it: a second one, or a misleading conflict, would be worse.
     */
    public ObjectNode create(Resource resource, @Nullable String namespace, ObjectNode object)
            throws InterruptedException {
        Target target = Target.ofCollection("create", resource, namespace);
        return change(target, "POST", resource.url(namespace, null, null, Map.of()), JSON, object);
    }

    /** Replaces an object; its {@code metadata.resourceVersion} makes it conditional. Answers it as stored. */
    public ObjectNode replace(Resource resource, @Nullable String namespace, String name, ObjectNode object)
            throws InterruptedException {
        Target target = new Target("update", resource, namespace, name, null, "");
        return change(target, "PUT", resource.url(namespace, name, null, Map.of()), JSON, object);
    }

    /** Reads an object. */
    public ObjectNode get(Resource resource, @Nullable String namespace, String name) throws InterruptedException {
        Target target = new Target("get", resource, namespace, name, null, "");
        return requests.send(target, Call.get(resource.url(namespace, name, null, Map.of())));
    }

    /**
     * Deletes an object.
     *
     * @param options a {@code DeleteOptions} object; null for the defaults
     * @return the object that is being deleted, or a {@code Status}
     */
    public ObjectNode delete(Resource resource, @Nullable String namespace, String name, @Nullable ObjectNode options)
            throws InterruptedException {
        Target target = new Target("delete", resource, namespace, name, null, "");
        return change(target, "DELETE", resource.url(namespace, name, null, Map.of()), JSON, options);
    }

    private ObjectNode change(Target target, String method, String path, String mediaType, @Nullable JsonNode payload)
            throws InterruptedException {
        byte[] body = payload == null ? null : Json.bytes(payload);
        Map<String, String> headers =
                body == null ? Map.of("Accept", JSON) : Map.of("Accept", JSON, "Content-Type", mediaType);
        return requests.send(target, new Call(method, path, headers, body));
    }
}
