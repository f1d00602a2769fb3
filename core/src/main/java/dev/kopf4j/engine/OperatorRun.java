package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.UserAgent;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.activity.LoginHandlerCredentials;
import dev.kopf4j.engine.handling.context.ChildrenLookup;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ServiceProvider;
import dev.kopf4j.engine.handling.registry.HandlerIdRules;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.probe.StartMessage;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator does from its start to its end: start-up handlers, probes, connection, work, cleanup handlers.
 * Confined to its task; used once.
 */
final class OperatorRun {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final OperatorPlan plan;
    private final OperatorSettings settings;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;
    private final RunState state;
    private final Platform platform;
    private final OperatorEndpoints operatorEndpoints;
    private final OperatorParts parts;

    OperatorRun(
            OperatorPlan plan,
            OperatorSettings settings,
            HandlerRegistry registry,
            OperatorEnvironment operatorEnvironment,
            RunState state) {
        this.plan = plan;
        this.settings = settings;
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
        this.state = state;
        this.platform = operatorEnvironment.platform();
        this.operatorEndpoints = new OperatorEndpoints(platform, plan);
        this.parts = new OperatorParts(
                platform,
                settings,
                registry,
                IndexSet.of(registry),
                new OperatorMemos(plan.memo()),
                operatorEndpoints.metrics(),
                operatorEnvironment.trace());
    }

    /** Starts, works until it is asked to stop, and leaves everything as it should be. */
    void run() throws InterruptedException {
        log.debug("Starting {}.", UserAgent.USER_AGENT);
        settings.from(
                "the operator's namespaces",
                known -> known.peering().clusterwide(plan.namespaces().isEmpty()));
        ClusterAccess access = access();
        try (IntegrationServices services = new IntegrationServices(access, this::network)) {
            ActivityRunner activityRunner = activityRunner(access, services);
            StartupAndCleanup startupAndCleanup = new StartupAndCleanup(platform, activityRunner);
            startupAndCleanup.startUp(settings);
            checkIds();
            ServedWebhooks.check(registry, settings);
            ProbeServer probes = operatorEndpoints.start(activityRunner, settings);
            try (ConnectionProvider connection = access.connect(platform, network())) {
                services.renewWith(connection);
                try {
                    work(connection, services);
                } finally {
                    state.leave();
                    startupAndCleanup.cleanUp(exitDeadline());
                }
            } finally {
                probes.close();
            }
        }
        log.debug("The operator has stopped.");
    }

    /** Checks the ids only now, as start-up handlers may have chosen where progress is stored. */
    private void checkIds() {
        try {
            HandlerIdRules.check(registry.handlers(), storedProgress());
            HandlerIdRules.checkWebhooks(registry.admission());
        } catch (HandlerDeclarationException e) {
            throw new OperatorException("The operator does not start: " + e.getMessage(), e);
        }
    }

    private ProgressStorage storedProgress() {
        OperatorSettings.Persistence persistence = settings.persistence();
        return StorageFactory.progress(persistence.progressStorage(), persistence.prefix());
    }

    /** The user's login handlers take the place of the built-in logins. */
    private ClusterAccess access() {
        ClusterAccess planned = operatorEnvironment.access();
        ActivityRunner logins = activityRunner(planned, ServiceProvider.NONE);
        return logins.has(Activity.LOGIN) ? planned.with(new LoginHandlerCredentials(logins)) : planned;
    }

    private ActivityRunner activityRunner(ClusterAccess access, ServiceProvider services) {
        return new ActivityRunner(
                platform, registry.activities(), settings, services, access.logins(), parts.memos(), parts.indices());
    }

    /** Watches and handles until it is asked to stop. */
    private void work(ConnectionProvider connection, IntegrationServices services) throws InterruptedException {
        KubernetesApi api = new KubernetesApi(platform, connection, network(), parts.metrics()::requestEnded);
        ServerConnectionCheck.make(api);
        try (EventPoster events = EventPoster.start(platform, api, settings.posting())) {
            ServedWebhooks webhooks = webhooks(api, services.with(EventSink.class, events));
            ActingOperator acting =
                    new ActingOperator(parts, api, plan.namespaces(), services, events, webhooks::found);
            services.tellWritesTo(acting.writes());
            webhooks.shareMemos(acting::findMemo);
            act(acting, webhooks);
        }
    }

    private ServedWebhooks webhooks(KubernetesApi api, ServiceProvider services) {
        return new ServedWebhooks(
                parts,
                api,
                new ContextFactory(platform, services, parts.indices(), ChildrenLookup.NONE, storedProgress()::fetch),
                state::fail);
    }

    private void act(ActingOperator acting, ServedWebhooks webhooks) throws InterruptedException {
        try {
            operatorEndpoints.watch(acting, webhooks);
            acting.start();
            becomeReady(acting);
            state.awaitStopRequest();
            log.info("The operator is stopping.");
        } finally {
            state.leave();
            operatorEndpoints.markStopping();
            try {
                acting.stop();
            } finally {
                webhooks.end();
            }
        }
    }

    private void becomeReady(ActingOperator acting) {
        state.becomeReady();
        operatorEndpoints.markReady();
        OperatorState now = acting.state(true, List.of());
        List<String> obstacles = StartMessage.obstacles(now);
        if (obstacles.isEmpty()) {
            log.info(StartMessage.ready(now));
        } else {
            log.warn(StartMessage.notReady(obstacles));
        }
        plan.whenReady().run();
    }

    private NetworkSettings network() {
        return NetworkSettings.of(settings.networking());
    }

    private Deadline exitDeadline() {
        Duration timeout = settings.process().ultimateExitingTimeout();
        return timeout == null ? Deadline.NEVER : platform.after(timeout);
    }
}
