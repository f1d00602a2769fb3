package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.access.AccessReviews;
import dev.kopf4j.devcluster.access.BootstrapRoles;
import dev.kopf4j.devcluster.access.Escalation;
import dev.kopf4j.devcluster.access.Gate;
import dev.kopf4j.devcluster.access.Rbac;
import dev.kopf4j.devcluster.access.Tokens;
import dev.kopf4j.devcluster.access.User;
import dev.kopf4j.devcluster.admission.Admission;
import dev.kopf4j.devcluster.control.DefinitionController;
import dev.kopf4j.devcluster.control.GarbageCollector;
import dev.kopf4j.devcluster.control.NamespaceContent;
import dev.kopf4j.devcluster.control.NamespaceController;
import dev.kopf4j.devcluster.control.VolumeProtection;
import dev.kopf4j.devcluster.discovery.Discovery;
import dev.kopf4j.devcluster.fault.FaultPage;
import dev.kopf4j.devcluster.http.HttpWebhookCaller;
import dev.kopf4j.devcluster.journal.DataFolder;
import dev.kopf4j.devcluster.journal.Journal;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Kinds;
import dev.kopf4j.devcluster.kind.builtin.BuiltinSteps;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resources;
import dev.kopf4j.devcluster.rest.RecentTrees;
import dev.kopf4j.devcluster.rest.ResourceApi;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.route.Router;
import dev.kopf4j.devcluster.show.Responses;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Store;
import dev.kopf4j.devcluster.workload.Workloads;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API server without a socket: a request in, a response out. Thread-safe; it starts no threads and never waits,
 * except for webhooks: a write that one of them must see blocks its caller within {@link WebhookCaller}, which a
 * simulation implements by its own means. No lock is held meanwhile.
 *
 * <p>Controllers run as the given {@link Tasks}, times come from the given clock, names and uids from the given
 * randomness, so that it can live inside a simulation.
 */
public final class ApiServer implements AutoCloseable {
    private static final int MAX_BODY = 3 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final long FIRST_VERSION = 200;
    private static final List<String> FIRST_NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private final Router router;
    private final ServerState state;
    private final Gate gate;
    private final Optional<OpenFolder> folder;
    private final WebhookCaller webhooks;
    private final Faults faults;
    private final Optional<FaultPage> faultPage;

    /**
     * A server with the namespaces that every cluster has, and with what its folder holds if the options name one.
     *
     * @param adminToken the bearer token of the administrator
     */
    public ApiServer(Options options, Tasks serverTasks, String adminToken) {
        this(options, serverTasks, adminToken, "");
    }

    /** The same with the certificate of the authority that clients reach it under, as PEM. */
    ApiServer(Options options, Tasks serverTasks, String adminToken, String authority) {
        Resources resources = new Resources(BuiltinResources.all());
        Store store = new Store(options.windowSize(), FIRST_VERSION);
        folder = options.data().map(path -> restore(DataFolder.open(path), store, serverTasks));
        faults = options.faults();
        faultPage = options.faultControl() ? Optional.of(new FaultPage(faults)) : Optional.empty();
        InstantSource base = options.clock();
        InstantSource clock = () -> base.instant().plus(faults.clockOffset());
        state = new ServerState(store, resources, clock, serverTasks, options.random(), new RecentTrees());
        Rbac rbac = new Rbac(state.store());
        Tokens tokens = new Tokens(adminToken.getBytes(StandardCharsets.UTF_8), clock);
        gate = new Gate(options.authentication(), options.rbac(), adminToken, tokens, rbac);
        webhooks = options.webhookCaller();
        Admission admission =
                new Admission(state.store(), resources, webhooks, state::uid, options.webhookServices()::url);
        ResourceApi api = new ResourceApi(
                state,
                new Kinds(BuiltinSteps.all(options.growingClaims())),
                admission,
                new AccessReviews(gate, rbac),
                new Escalation(options.rbac(), rbac),
                tokens,
                options.watchList());
        router = new Router(resources, api, new Discovery(resources));
        new DefinitionController(state).start();
        new NamespaceController(state).start();
        new GarbageCollector(state).start();
        new VolumeProtection(state).start();
        install(api, resources);
        if (options.rbac()) {
            installRoles(api, resources);
        }
        options.workloads().ifPresent(delay -> new Workloads(state, api, delay).start());
        new NamespaceContent(state, api, options.rootCertificate() ? Optional.of(authority) : Optional.empty()).start();
    }

    private record OpenFolder(DataFolder lock, Journal journal) {}

    private static OpenFolder restore(DataFolder folder, Store store, Tasks tasks) {
        try {
            return new OpenFolder(folder, Journal.restore(folder, store, tasks));
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private void install(ResourceApi api, Resources resources) {
        Resource namespaces = resources.find("", "v1", "namespaces").orElseThrow();
        for (String name : FIRST_NAMESPACES) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", name);
            if (state.bucket(namespaces).get("", name) == null) {
                api.install(namespaces, namespace);
            }
        }
    }

    private void installRoles(ResourceApi api, Resources resources) {
        for (ObjectNode object : BootstrapRoles.load()) {
            Resource resource = resources
                    .findKind(Json.string(object, "apiVersion"), Json.string(object, "kind"))
                    .orElseThrow();
            if (state.bucket(resource).get("", Json.string(object, "metadata", "name")) == null) {
                api.install(resource, object);
            }
        }
    }

    /** Answers a request; whatever a client sends, the answer is a response. */
    public ApiResponse handle(ApiRequest asked) {
        ApiRequest request = asked.modern();
        List<Fault> befalling = faults.befall(request);
        return befalling.isEmpty()
                ? answer(request)
                : new Mishap(faults, befalling, state.tasks()).answer(request, this::answer);
    }

    private ApiResponse answer(ApiRequest request) {
        try {
            if (request.body().length > MAX_BODY) {
                throw ApiException.tooLarge("Request entity too large: limit is " + MAX_BODY);
            }
            User user = gate.admit(request);
            if (faultPage.isPresent() && request.path().equals(FaultPage.PATH)) {
                return faultPage.get().answer(request, user);
            }
            return router.route(request, user);
        } catch (ApiException e) {
            return Responses.failure(e, List.of());
        } catch (RuntimeException | StackOverflowError e) { // patterns of schemas can be as deep as texts are long
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("request", request.method() + " " + request.path())
                    .log("the dev cluster failed to answer");
            return Responses.failure(ApiException.internal(String.valueOf(e.getMessage())), List.of());
        }
    }

    /** Forgets all versions but the present ones, as a compaction does: older watches get 410. */
    public void compact() {
        state.store().compact();
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
