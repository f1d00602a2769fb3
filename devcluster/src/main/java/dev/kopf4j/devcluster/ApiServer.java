package dev.kopf4j.devcluster;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.admission.HttpWebhookCaller;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.authorization.RbacAuthorizer;
import dev.kopf4j.devcluster.authorization.review.AccessReviews;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.discovery.DiscoveryEndpoints;
import dev.kopf4j.devcluster.endpoints.FaultEndpoint;
import dev.kopf4j.devcluster.endpoints.RequestRouter;
import dev.kopf4j.devcluster.endpoints.ResourceEndpoints;
import dev.kopf4j.devcluster.endpoints.ServerPages;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.journal.DataFolder;
import dev.kopf4j.devcluster.journal.SnapshotFile;
import dev.kopf4j.devcluster.journal.StoreOnDisk;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.NameGenerator;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.resource.ServedVersions;
import dev.kopf4j.devcluster.response.IndentedJson;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.StrategyRegistry;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API server without a socket: a request in, a response out. Thread-safe; it starts no threads and never waits,
 * except for webhooks: a write that a webhook must see, and what a webhook has to convert, block their caller within
 * {@link WebhookCaller}, which a simulation implements by its own means. No lock is held meanwhile but that of a watch.
 *
 * <p>Controllers run as tasks of the given {@link TaskScheduler}, times come from the given clock, names and uids from
 * the given random generator, so that a server can live inside a simulation.
 */
public final class ApiServer implements AutoCloseable {
    private static final int MAX_BODY = 3 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final long FIRST_VERSION = 200;

    /** Where API servers usually listen: what the Service tells of a server without a socket. */
    private static final int PORT = 6443;

    private final RequestRouter requestRouter;
    private final ServerContext state;
    private final AccessControl accessControl;
    private final Optional<StoreOnDisk> disk;
    private final WebhookCaller webhooks;
    private final Faults faults;
    private final Function<ApiRequest, ApiResponse> faultyServer;
    private final Optional<FaultEndpoint> faultEndpoint;
    private final BiConsumer<ApiRequest, ApiResponse> requestListener;
    private final String adminToken;

    /**
     * A server with the namespaces that every cluster has, and with what its data folder holds if the options name one.
     *
     * @param adminToken the bearer token of the administrator
     */
    public ApiServer(Options options, TaskScheduler taskScheduler, String adminToken) {
        this(options, options.data().map(DataFolder::open), taskScheduler, adminToken, Optional::empty, PORT);
    }

    /**
     * The same where clients find it.
     *
     * @param data the folder of the options, which is closed with the server
     * @param authority gives the authority that they trust, if there is one; it may take a while
     * @param port the port on loopback that they connect to
     */
    ApiServer(
            Options options,
            Optional<DataFolder> data,
            TaskScheduler taskScheduler,
            String adminToken,
            Supplier<Optional<CertificateAuthority>> authority,
            int port) {
        options.checkAuthorization();
        ServedResources servedResources = new ServedResources(
                BuiltinResources.of(ServedVersions.of(options.kubernetesVersion(), options.runtimeConfig())));
        ObjectStore objectStore = new ObjectStore(options.windowSize(), FIRST_VERSION);
        if (options.from().isPresent() && options.data().isPresent()) {
            throw new IllegalArgumentException("a cluster starts from a snapshot or from a data folder, not from both");
        }
        options.from().ifPresent(snapshot -> SnapshotFile.restore(snapshot, objectStore));
        disk = data.map(folder -> StoreOnDisk.restore(folder, objectStore, taskScheduler));
        faults = options.faults();
        requestListener = options.requestListener();
        this.adminToken = adminToken;
        faultyServer = faults.inject(taskScheduler, this::answer);
        faultEndpoint = options.faultControl() ? Optional.of(new FaultEndpoint(faults)) : Optional.empty();
        webhooks = options.webhookCaller();
        InstantSource base = options.clock();
        InstantSource clock = () -> base.instant().plus(faults.clockOffset());
        state = new ServerContext(
                objectStore,
                servedResources,
                new StrategyRegistry(BuiltinStrategies.all(options.growingClaims(), clock, objectStore)),
                clock,
                taskScheduler,
                new NameGenerator(options.random()),
                new WebhookClientManager(webhooks, options.webhookServices().resolver(options.clock())));
        RbacAuthorizer rbac = new RbacAuthorizer(objectStore);
        ServiceAccountTokens tokens = new ServiceAccountTokens(
                adminToken.getBytes(StandardCharsets.UTF_8), state.clock(), lookup(objectStore));
        // Where nobody is refused, nobody is anonymous: ApplyAuthorization in pkg/kubeapiserver/options, v1.33.
        boolean anonymous =
                !options.alwaysAllow() && (options.rbac() || options.address().isLoopbackAddress());
        RequestAuthenticator authenticator =
                new RequestAuthenticator(options.authentication(), anonymous, adminToken, tokens);
        accessControl = new AccessControl(options.rbac(), options.alwaysAllow(), authenticator, rbac);
        ResourceEndpoints endpoints = new ResourceEndpoints(
                state,
                admissionChain(options, rbac),
                new AccessReviews(accessControl, rbac, authenticator, state.clock()),
                tokens,
                options.watchList());
        requestRouter = new RequestRouter(
                servedResources,
                endpoints,
                new DiscoveryEndpoints(servedResources, options.kubernetesVersion()),
                new ServerPages(servedResources, tokens, state.clock()));
        new ClusterBootstrap(state, endpoints.controllerClient()).start(options, tokens, authority, port);
    }

    /** The objects that tokens are about. */
    private static ServiceAccountTokens.ObjectLookup lookup(ObjectStore objects) {
        return new ServiceAccountTokens.ObjectLookup() {
            @Override
            public boolean exists(String plural, String namespace, String name, String uid) {
                StoredObject object = objects.bucket(plural).get(namespace, name);
                return object != null && object.uid().equals(uid);
            }

            @Override
            public boolean hasToken(String namespace, String secret, String token) {
                StoredObject object = objects.bucket(Buckets.SECRETS).get(namespace, secret);
                String encoded = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
                return object != null
                        && Json.string(object.tree(), "data", "token").equals(encoded);
            }
        };
    }

    private AdmissionChain admissionChain(Options options, RbacAuthorizer rbac) {
        AdmissionWebhooks admissionWebhooks = new AdmissionWebhooks(
                state.objectStore(),
                state.servedResources(),
                accessControl,
                state.webhookClientManager(),
                state.nameGenerator()::uid);
        return new AdmissionChain(
                state,
                admissionWebhooks,
                accessControl,
                new PrivilegeEscalationCheck(options.rbac() && !options.alwaysAllow(), rbac),
                options.growingClaims(),
                options.rootCertificate());
    }

    /** Answers a request. Never throws: a failure is a response too. */
    public ApiResponse handle(ApiRequest request) {
        ApiResponse response = faultyServer.apply(request);
        requestListener.accept(request, response);
        return response;
    }

    /** Answers a request that has no faults, and that nobody hears of. */
    public ApiResponse look(ApiRequest request) {
        return answer(request);
    }

    private ApiResponse answer(ApiRequest request) {
        if (DeepStack.isNeededFor(request.body())) {
            return answerDeep(request);
        }
        try {
            return answerHere(request);
        } catch (StackOverflowError e) {
            // It is about an object with many levels. Nothing was stored yet: objects become bytes before that.
            return answerDeep(request);
        }
    }

    private ApiResponse answerDeep(ApiRequest request) {
        try {
            return DeepStack.call(() -> answerHere(request));
        } catch (StackOverflowError e) { // patterns of schemas can be as deep as texts are long
            return failure(request, e);
        }
    }

    private static ApiResponse failure(ApiRequest request, Throwable cause) {
        LOG.atError()
                .setCause(cause)
                .addKeyValue("request", request.method() + " " + request.path())
                .log("the dev cluster failed to answer");
        return ResponseFactory.failure(ApiException.internal(String.valueOf(cause.getMessage())), List.of());
    }

    private ApiResponse answerHere(ApiRequest request) {
        return IndentedJson.where(request, answerPlainly(request));
    }

    private ApiResponse answerPlainly(ApiRequest request) {
        try {
            if (request.body().length > MAX_BODY) {
                throw ApiException.tooLarge("Request entity too large: limit is " + MAX_BODY);
            }
            UserInfo user = accessControl.authorize(request);
            if (faultEndpoint.isPresent() && request.path().equals(FaultEndpoint.PATH)) {
                return faultEndpoint.get().answer(request, user);
            }
            return requestRouter.route(request, user);
        } catch (ApiException e) {
            return ResponseFactory.failure(e, List.of());
        } catch (RuntimeException e) {
            return failure(request, e);
        }
    }

    /**
     * Creates or updates objects, given as JSON or as YAML of one or more documents; custom resource definitions and
     * namespaces come first.
     *
     * @param settle runs the tasks of the controllers that are due, and returns when they are done
     * @throws IllegalArgumentException if an object is refused, with the server's message
     */
    public void apply(String manifests, Runnable settle) {
        ManifestReader.read(manifests).forEach(object -> new ManifestApplier(this, object, adminToken, settle).apply());
    }

    /**
     * Takes over an object of another cluster as it is there: with its uid, owners, status and deletion, and without
     * validation and admission. It keeps its version if that is higher than all versions here, and gets a new one
     * otherwise; it takes the place of one that has its name. Controllers hear of it as of other changes;
     * {@link Options#foreignOwners} lets them keep what other clusters own.
     *
     * @param object the object as JSON, in any version that is served
     * @return false if its kind is not served here
     * @throws IllegalArgumentException if it has no name
     */
    public boolean importObject(byte[] object) {
        ObjectNode tree = (ObjectNode) Json.parse(object);
        Optional<Resource> resource =
                state.servedResources().findKind(Json.string(tree, "apiVersion"), Json.string(tree, "kind"));
        resource.ifPresent(found -> put(found, tree));
        return resource.isPresent();
    }

    private void put(Resource resource, ObjectNode tree) {
        String name = Json.string(tree, "metadata", "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an object without a name cannot be taken over: " + Json.text(tree));
        }
        ResourceBucket bucket = state.bucket(resource);
        version(tree).ifPresent(state.objectStore()::advance);
        StoredObject next = StorageConversion.store(resource, tree);
        StoredObject present = bucket.get(next.namespace(), name);
        StoredObject stored = present == null
                ? state.objectStore().create(bucket, next)
                : state.objectStore().replace(bucket, present, next);
        if (stored == null) { // somebody was faster
            put(resource, tree);
        }
    }

    private static OptionalLong version(ObjectNode tree) {
        try {
            return OptionalLong.of(Long.parseLong(Json.string(tree, "metadata", "resourceVersion")));
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // versions of other servers need not be numbers
        }
    }

    /**
     * Writes all objects to a file, which is replaced; {@link Options#from} starts a cluster with them.
     *
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    public void save(Path file) {
        SnapshotFile.save(state.objectStore(), file);
    }

    /** Forgets all versions but the present ones, as a compaction does: older watches get 410. */
    public void compact() {
        state.objectStore().compact();
    }

    /** The faults to inject; rules may be added and removed while the server runs. */
    public Faults faults() {
        return faults;
    }

    /** What was damaged in the data folder at the start, and what was lost by it; empty if nothing was. */
    public String damage() {
        return disk.map(StoreOnDisk::damage).orElse("");
    }

    /** Forces what is kept on disk to the disk. The server must not be used afterwards. */
    @Override
    public void close() {
        if (webhooks instanceof HttpWebhookCaller own) {
            own.close();
        }
        disk.ifPresent(StoreOnDisk::close);
    }
}
