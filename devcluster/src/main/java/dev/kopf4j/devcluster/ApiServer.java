package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.admission.HttpWebhookCaller;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AccessReviews;
import dev.kopf4j.devcluster.authorization.BootstrapRoles;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.authorization.RbacAuthorizer;
import dev.kopf4j.devcluster.controller.DefaultServiceAccountController;
import dev.kopf4j.devcluster.controller.GarbageCollector;
import dev.kopf4j.devcluster.controller.NamespaceController;
import dev.kopf4j.devcluster.controller.VolumeProtectionController;
import dev.kopf4j.devcluster.controller.apiextensions.CrdController;
import dev.kopf4j.devcluster.controller.workload.WorkloadSimulation;
import dev.kopf4j.devcluster.conversion.ConvertedObjectCache;
import dev.kopf4j.devcluster.discovery.DiscoveryEndpoints;
import dev.kopf4j.devcluster.endpoints.FaultEndpoint;
import dev.kopf4j.devcluster.endpoints.RequestRouter;
import dev.kopf4j.devcluster.endpoints.ResourceEndpoints;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.journal.DataFolder;
import dev.kopf4j.devcluster.journal.Journal;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.StrategyRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API server without a socket: a request in, a response out. Thread-safe; it starts no threads and never waits,
 * except for webhooks: a write that one of them must see blocks its caller within {@link WebhookCaller}, which a
 * simulation implements by its own means. No lock is held meanwhile.
 *
 * <p>Controllers run as the given {@link TaskScheduler}, times come from the given clock, names and uids from the given
 * randomness, so that it can live inside a simulation.
 */
public final class ApiServer implements AutoCloseable {
    private static final int MAX_BODY = 3 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final long FIRST_VERSION = 200;
    private static final List<String> FIRST_NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private final RequestRouter requestRouter;
    private final ServerContext state;
    private final AccessControl accessControl;
    private final Optional<OpenFolder> folder;
    private final WebhookCaller webhooks;
    private final Faults faults;
    private final Function<ApiRequest, ApiResponse> faultyServer;
    private final Optional<FaultEndpoint> faultPage;

    /**
     * A server with the namespaces that every cluster has, and with what its folder holds if the options name one.
     *
     * @param adminToken the bearer token of the administrator
     */
    public ApiServer(Options options, TaskScheduler serverTasks, String adminToken) {
        this(options, serverTasks, adminToken, "");
    }

    /** The same with the certificate of the authority that clients reach it under, as PEM. */
    ApiServer(Options options, TaskScheduler serverTasks, String adminToken, String authority) {
        ServedResources servedResources = new ServedResources(BuiltinResources.all());
        ObjectStore objectStore = new ObjectStore(options.windowSize(), FIRST_VERSION);
        folder = options.data().map(path -> restore(DataFolder.open(path), objectStore, serverTasks));
        faults = options.faults();
        faultPage = options.faultControl() ? Optional.of(new FaultEndpoint(faults)) : Optional.empty();
        InstantSource base = options.clock();
        InstantSource clock = () -> base.instant().plus(faults.clockOffset());
        state = new ServerContext(
                objectStore,
                servedResources,
                new StrategyRegistry(BuiltinStrategies.all(options.growingClaims())),
                clock,
                serverTasks,
                options.random(),
                new ConvertedObjectCache());
        RbacAuthorizer rbacAuthorizer = new RbacAuthorizer(state.objectStore());
        ServiceAccountTokens serviceAccountTokens =
                new ServiceAccountTokens(adminToken.getBytes(StandardCharsets.UTF_8), clock);
        accessControl = new AccessControl(
                options.authentication(), options.rbac(), adminToken, serviceAccountTokens, rbacAuthorizer);
        webhooks = options.webhookCaller();
        AdmissionWebhooks admissionWebhooks = new AdmissionWebhooks(
                state.objectStore(), servedResources, webhooks, state::uid, options.webhookServices()::url);
        ResourceEndpoints api = new ResourceEndpoints(
                state,
                admissionWebhooks,
                new AccessReviews(accessControl, rbacAuthorizer),
                new PrivilegeEscalationCheck(options.rbac(), rbacAuthorizer),
                serviceAccountTokens,
                options.watchList());
        faultyServer = faults.inject(serverTasks, this::answer);
        requestRouter = new RequestRouter(servedResources, api, new DiscoveryEndpoints(servedResources));
        new CrdController(state).start();
        new NamespaceController(state).start();
        new GarbageCollector(state).start();
        new VolumeProtectionController(state).start();
        install(api, servedResources);
        if (options.rbac()) {
            installRoles(api, servedResources);
        }
        options.workloads().ifPresent(delay -> new WorkloadSimulation(state, api, delay).start());
        new DefaultServiceAccountController(
                        state, api, options.rootCertificate() ? Optional.of(authority) : Optional.empty())
                .start();
    }

    private record OpenFolder(DataFolder lock, Journal journal) {}

    private static OpenFolder restore(DataFolder folder, ObjectStore objectStore, TaskScheduler taskScheduler) {
        try {
            return new OpenFolder(folder, Journal.restore(folder, objectStore, taskScheduler));
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private void install(ResourceEndpoints api, ServedResources servedResources) {
        Resource namespaces = servedResources.find("", "v1", "namespaces").orElseThrow();
        for (String name : FIRST_NAMESPACES) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", name);
            if (state.bucket(namespaces).get("", name) == null) {
                api.install(namespaces, namespace);
            }
        }
    }

    private void installRoles(ResourceEndpoints api, ServedResources servedResources) {
        for (ObjectNode object : BootstrapRoles.load()) {
            Resource resource = servedResources
                    .findKind(Json.string(object, "apiVersion"), Json.string(object, "kind"))
                    .orElseThrow();
            if (state.bucket(resource).get("", Json.string(object, "metadata", "name")) == null) {
                api.install(resource, object);
            }
        }
    }

    /** Answers a request. Never throws: a failure is a response too. */
    public ApiResponse handle(ApiRequest request) {
        return faultyServer.apply(request);
    }

    private ApiResponse answer(ApiRequest request) {
        try {
            if (request.body().length > MAX_BODY) {
                throw ApiException.tooLarge("Request entity too large: limit is " + MAX_BODY);
            }
            UserInfo userInfo = accessControl.authorize(request);
            if (faultPage.isPresent() && request.path().equals(FaultEndpoint.PATH)) {
                return faultPage.get().answer(request, userInfo);
            }
            return requestRouter.route(request, userInfo);
        } catch (ApiException e) {
            return ResponseFactory.failure(e, List.of());
        } catch (RuntimeException | StackOverflowError e) { // patterns of schemas can be as deep as texts are long
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("request", request.method() + " " + request.path())
                    .log("the dev cluster failed to answer");
            return ResponseFactory.failure(ApiException.internal(String.valueOf(e.getMessage())), List.of());
        }
    }

    /** Forgets all versions but the present ones, as a compaction does: older watches get 410. */
    public void compact() {
        state.objectStore().compact();
    }

    /** What goes wrong on demand. */
    public Faults faults() {
        return faults;
    }

    /** What was damaged in the data folder at the start, and what was lost by it; empty when nothing was. */
    public String damage() {
        return folder.map(open -> open.journal().damage()).orElse("");
    }

    /** Forces to the disk what is kept there. The server must not be used any more. */
    @Override
    public void close() {
        if (webhooks instanceof HttpWebhookCaller own) {
            own.close();
        }
        folder.ifPresent(open -> {
            try (DataFolder _ = open.lock()) {
                open.journal().close();
            }
        });
    }
}
