package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WatchStream.WatchOptions;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.request.RequestSender.AnswerReader;
import dev.kopf4j.client.request.RequestSender.RequestListener;
import dev.kopf4j.client.request.RequestSender.RetryListener;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Kubernetes API as the framework needs it: discovery, lists, watches, and changes of single objects.
 *
 * <p>Each method waits until its request is done, retries included; it throws {@link ApiException} for a refusal,
 * {@link ConnectionFailedException} if there is no answer, {@link NoCredentialsException} if there are no valid
 * credentials. Thread-safe.
 */
public final class KubernetesApi {
    private static final String JSON = "application/json";

    private final RequestSender requestSender;
    private final StreamedListSupport streamedListSupport;

    /** Makes an API on connections that are renewed when credentials expire. */
    public KubernetesApi(Platform platform, ConnectionProvider connectionProvider, NetworkSettings settings) {
        this(platform, connectionProvider, settings, RequestListener.NONE);
    }

    /** Makes the same API with a listener that is told of each request. */
    public KubernetesApi(
            Platform platform,
            ConnectionProvider connectionProvider,
            NetworkSettings settings,
            RequestListener listener) {
        this(new RequestSender(platform, connectionProvider, settings, listener), new StreamedListSupport(platform));
    }

    /** Makes an API on a single transport. */
    public KubernetesApi(Platform platform, Transport transport, NetworkSettings settings) {
        this(
                platform,
                ConnectionProvider.fixed(new ApiServerConnection(transport, "the API server", "default")),
                settings);
    }

    private KubernetesApi(RequestSender requestSender, StreamedListSupport streamedListSupport) {
        this.requestSender = requestSender;
        this.streamedListSupport = streamedListSupport;
    }

    /** Returns the same API with other timeouts and retries. */
    public KubernetesApi with(NetworkSettings settings) {
        return new KubernetesApi(requestSender.with(settings), streamedListSupport);
    }

    /** Does something with an API. */
    @FunctionalInterface
    public interface Use<T> {
        /** Called once. */
        T of(KubernetesApi api) throws InterruptedException;
    }

    /**
     * Does something for which there is another way if the account has no right to it: a refusal is thrown at once, and
     * not tried again, as it is where a right may come yet. All other failures are tried again as usual.
     *
     * @throws ForbiddenException if the server refuses it
     */
    public <T> T unlessForbidden(Use<T> use) throws InterruptedException {
        return use.of(with(settings().withoutRetriesOfForbidden()));
    }

    /** Returns the same API behind a fence, which is asked before each request. Lists and watches do not ask it. */
    public KubernetesApi fenced(LeadershipFence leadershipFence) {
        return new KubernetesApi(requestSender.fenced(leadershipFence), streamedListSupport);
    }

    /** The settings in use. */
    public NetworkSettings settings() {
        return requestSender.settings();
    }

    /** Returns the namespace of the credentials in use. */
    public String defaultNamespace() throws InterruptedException {
        return requestSender.connectionProvider().current().defaultNamespace();
    }

    /** Returns the address of the server in use. */
    public String server() throws InterruptedException {
        return requestSender.connectionProvider().current().server();
    }

    /** How often requests have gone on at another server: what is known of objects is that of the one before, then. */
    public int serverChanges() {
        return requestSender.connectionProvider().serverChanges();
    }

    /** What is known of servers that do not stream lists; the same for all APIs that were made from one another. */
    public StreamedListSupport streamedListSupport() {
        return streamedListSupport;
    }

    /** Returns the discovery of what the cluster serves. */
    public ApiDiscovery apiDiscovery() {
        return new ApiDiscovery(requestSender);
    }

    /**
     * Reads a collection page by page, and hands over object by object: no page is ever in memory as a whole.
     *
     * @param namespace where to look; null for everywhere
     * @param pageSize how many objects a page has; 0 for all of them
     * @return the version of the list, from which a watch goes on; empty if the server gave none
     * @throws ConnectionFailedException also if the connection breaks in the middle, after some objects were handed
     *     over
     */
    public String list(Resource resource, @Nullable String namespace, int pageSize, ListListener each)
            throws InterruptedException {
        return list(resource, namespace, Narrowing.NONE, pageSize, each);
    }

    /** Reads a part of a collection in the same way. */
    public String list(
            Resource resource, @Nullable String namespace, Narrowing narrowing, int pageSize, ListListener each)
            throws InterruptedException {
        return new PagedList(requestSender, resource, namespace, narrowing, each).readRestartingOnGone(pageSize);
    }

    /** The version of a part of a collection at this moment: that of a list with one object at the most. */
    public String version(Resource resource, @Nullable String namespace, Narrowing narrowing)
            throws InterruptedException {
        return new PagedList(requestSender, resource, namespace, narrowing, _ -> {}).version();
    }

    /**
     * Opens a stream of the events of a part of a collection, which the caller closes.
     *
     * @param namespace where to look; null for everywhere
     * @param resourceVersion after which version the events begin; empty for what exists, then from now on
     * @param listener hears of the attempts that have failed
     */
    public WatchStream watch(
            Resource resource,
            @Nullable String namespace,
            Narrowing narrowing,
            String resourceVersion,
            WatchOptions options,
            RetryListener listener)
            throws InterruptedException {
        return WatchStream.open(requestSender, resource, namespace, narrowing, resourceVersion, options, listener);
    }

    /** Patches an object or one of its subresources; returns the object after the change. */
    public ObjectNode patch(
            Resource resource,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            PatchType type,
            JsonNode payload)
            throws InterruptedException {
        return patch(resource, namespace, name, subresource, type, payload, Json::parseObject);
    }

    /**
     * The same, but for the managed fields of the object: in many an answer they are the larger part, and whoever does
     * not ask who owns which field need not read them.
     */
    public ObjectNode patchWithoutManagedFields(
            Resource resource,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            PatchType type,
            JsonNode payload)
            throws InterruptedException {
        return patch(
                resource,
                namespace,
                name,
                subresource,
                type,
                payload,
                answer -> Json.parseObjectWithout("metadata", "managedFields", answer));
    }

    private ObjectNode patch(
            Resource resource,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            PatchType type,
            JsonNode payload,
            AnswerReader reader)
            throws InterruptedException {
        RequestDescription requestDescription =
                new RequestDescription("patch", resource, namespace, name, subresource, "");
        String path = resource.url(namespace, name, subresource, Map.of());
        return requestSender.send(
                requestDescription,
                changing("PATCH", path, type.mediaType(), payload),
                body -> named(name, reader.read(body)));
    }

    /**
     * Applies a configuration of an object, which is created if it does not exist; returns it as the server has stored
     * it.
     *
     * @param fieldManager who owns the fields of the configuration from then on
     * @param force true to take them from other managers
     * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">server-side apply</a>
     */
    public ObjectNode apply(
            Resource resource,
            @Nullable String namespace,
            String name,
            String fieldManager,
            boolean force,
            JsonNode configuration)
            throws InterruptedException {
        RequestDescription requestDescription = new RequestDescription("patch", resource, namespace, name, null, "");
        Map<String, String> params = new LinkedHashMap<>();
        params.put("fieldManager", fieldManager);
        params.put("force", String.valueOf(force));
        // JSON is YAML, and older servers know the media type of YAML only.
        String url = resource.url(namespace, name, null, params);
        return requestSender.send(
                requestDescription,
                changing("PATCH", url, "application/apply-patch+yaml", configuration),
                body -> named(name, Json.parseObject(body)));
    }

    /**
     * Creates an object; returns it as the server has stored it.
     *
     * <p>The request is not repeated if the server may have created the object already: a second object, or a
     * misleading conflict, would be worse.
     */
    public ObjectNode create(Resource resource, @Nullable String namespace, ObjectNode object)
            throws InterruptedException {
        RequestDescription requestDescription = RequestDescription.ofCollection("create", resource, namespace);
        return change(requestDescription, "POST", resource.url(namespace, null, null, Map.of()), JSON, object);
    }

    /**
     * Replaces an object; returns it as the server has stored it. If the object has a {@code metadata.resourceVersion},
     * the server refuses it when the stored version is another one.
     */
    public ObjectNode replace(Resource resource, @Nullable String namespace, String name, ObjectNode object)
            throws InterruptedException {
        RequestDescription requestDescription = new RequestDescription("update", resource, namespace, name, null, "");
        return requestSender.send(
                requestDescription,
                changing("PUT", resource.url(namespace, name, null, Map.of()), JSON, object),
                body -> named(name, Json.parseObject(body)));
    }

    /** Reads an object. */
    public ObjectNode get(Resource resource, @Nullable String namespace, String name) throws InterruptedException {
        RequestDescription requestDescription = new RequestDescription("get", resource, namespace, name, null, "");
        return requestSender.send(
                requestDescription,
                TransportRequest.get(resource.url(namespace, name, null, Map.of())),
                body -> named(name, Json.parseObject(body)));
    }

    /** Who believes that {@code {}} is the object has read, or written, what does not exist. */
    private static ObjectNode named(String name, ObjectNode answer) throws IOException {
        if (!name.equals(answer.path("metadata").path("name").asString(""))) {
            throw new IOException("the answer is not the object \"" + name
                    + "\": something in between has given it, such as a proxy, or this is no Kubernetes API server");
        }
        return answer;
    }

    /**
     * Deletes an object.
     *
     * @param options a {@code DeleteOptions} object; null for the defaults
     * @return the object that is being deleted, or a {@code Status}
     */
    public ObjectNode delete(Resource resource, @Nullable String namespace, String name, @Nullable ObjectNode options)
            throws InterruptedException {
        RequestDescription requestDescription = new RequestDescription("delete", resource, namespace, name, null, "");
        return change(requestDescription, "DELETE", resource.url(namespace, name, null, Map.of()), JSON, options);
    }

    private ObjectNode change(
            RequestDescription requestDescription,
            String method,
            String path,
            String mediaType,
            @Nullable JsonNode payload)
            throws InterruptedException {
        return requestSender.send(requestDescription, changing(method, path, mediaType, payload));
    }

    private static TransportRequest changing(String method, String path, String mediaType, @Nullable JsonNode payload) {
        byte[] body = payload == null ? null : Json.bytes(payload);
        Map<String, String> headers =
                body == null ? Map.of("Accept", JSON) : Map.of("Accept", JSON, "Content-Type", mediaType);
        return new TransportRequest(method, path, headers, body);
    }

    /** The format of a patch. */
    public enum PatchType {
        /** RFC 7386: an object that is merged; null removes. */
        MERGE("application/merge-patch+json"),
        /** RFC 6902: a list of operations. */
        JSON("application/json-patch+json");

        private final String mediaType;

        PatchType(String mediaType) {
            this.mediaType = mediaType;
        }

        /** The value of the {@code Content-Type} header. */
        public String mediaType() {
            return mediaType;
        }
    }

    /**
     * Remembers which servers do not send lists as watches with initial events, so that each is asked once. Servers do
     * not say beforehand whether they do: the feature {@code WatchList} is on by default in Kubernetes 1.32, off in
     * 1.33, on since 1.34. While one stream asks, the others wait for its answer, but not long: it may be that only
     * this stream's resource does not answer. Thread-safe.
     */
    public static final class StreamedListSupport {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private enum Answer {
            AWAITED,
            YES,
            NO
        }

        private final Platform platform;
        private final Monitor monitor;
        private final Map<String, Answer> answers = new HashMap<>();

        /** Knows of no server. */
        StreamedListSupport(Platform platform) {
            this.platform = platform;
            this.monitor = platform.monitor();
        }

        /**
         * Returns false if the server is known not to send lists so. Else the caller asks it, and then says what has
         * come of it, by one of the other methods.
         *
         * @throws InterruptedException if the task is interrupted while another one asks
         */
        public boolean mayAsk(String server) throws InterruptedException {
            Deadline deadline = platform.after(PATIENCE);
            return monitor.await(() -> tryToAsk(server), deadline).orElse(true);
        }

        private Optional<Boolean> tryToAsk(String server) {
            Answer known = answers.putIfAbsent(server, Answer.AWAITED);
            return known == Answer.AWAITED ? Optional.empty() : Optional.of(known != Answer.NO);
        }

        /** The server has accepted the request: others may ask, too. */
        public void accepts(String server) {
            monitor.locked(() -> {
                answers.put(server, Answer.YES);
            });
        }

        /** Nothing is known of the answer yet: the next one may ask. */
        public void doesNotAnswer(String server) {
            monitor.locked(() -> {
                answers.remove(server, Answer.AWAITED);
            });
        }

        /** Remembers that the server does not send lists so, and logs it once per server. */
        public void isLackingAt(String server, @Nullable String reason) {
            Answer before = monitor.locked(() -> answers.put(server, Answer.NO));
            if (before != Answer.NO) {
                log.debug("Lists are read page by page, as {} does not stream them: {}", server, reason);
            }
        }
    }

    /** Receives the objects of a list one by one, in the task that lists. It may take long. */
    @FunctionalInterface
    public interface ListListener {
        /** An object, complete with kind and apiVersion; it belongs to the listener. The same one may come twice. */
        void item(ObjectNode object) throws InterruptedException;

        /** An object of the list that cannot be read; the list goes on. */
        default void unreadable(UnreadableObject object) throws InterruptedException {}

        /** The list begins again because its continue token has expired. What came so far is void. */
        default void restarted() throws InterruptedException {}

        /** A page was read to its end, so the server is alive. */
        default void pageRead() {}

        /** The first page was read to its end, and more follow: a watch may begin at that version now. */
        default void moreFollows(String resourceVersion) {}

        /** An attempt failed; another one follows after a delay. */
        default void retrying(ClientException failure) {}
    }
}
