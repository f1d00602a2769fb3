package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.StopCondition;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.UserAgent;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.activity.LoginHandlerCredentials;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ServiceProvider;
import dev.kopf4j.engine.handling.registry.HandlerIdRules;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.leaderelection.Leadership;
import dev.kopf4j.engine.orchestration.Orchestrator;
import dev.kopf4j.engine.peering.OperatorPauses;
import dev.kopf4j.engine.peering.OperatorPeerings;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.processing.ProcessingEnvironment;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of an operator, from its start to its end. Thread-safe. */
final class RunningOperator implements OperatorHandle {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final OperatorPlan plan;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;
    private final IndexSet indices;
    private final OperatorMemos operatorMemos;
    private final OperatorSettings settings;
    private final Platform platform;
    private final Monitor monitor;
    private final OperatorEndpoints operatorEndpoints;
    private @Nullable Task task;
    private boolean stopRequested;
    private boolean ready;
    private boolean leaving;
    private boolean ended;
    private @Nullable OperatorException failure;

    private RunningOperator(OperatorPlan plan, HandlerRegistry registry, OperatorEnvironment operatorEnvironment) {
        this.plan = plan;
        this.settings = plan.settings().copy();
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
        this.indices = IndexSet.of(registry);
        this.operatorMemos = new OperatorMemos(plan.memo());
        this.platform = operatorEnvironment.platform();
        this.monitor = platform.monitor();
        this.operatorEndpoints = new OperatorEndpoints(platform, plan);
    }

    static RunningOperator start(OperatorPlan plan, HandlerRegistry registry, OperatorEnvironment operatorEnvironment) {
        RunningOperator operator = new RunningOperator(plan, registry, operatorEnvironment);
        operator.monitor.locked(() -> {
            operator.task = operator.platform.spawn("operator", operator::live);
        });
        return operator;
    }

    /** Something of the embedder's may tell when to stop. It is forgotten when the operator has ended. */
    private @Nullable Task watchStopCondition() {
        StopCondition condition = plan.stopWhen();
        return condition == null
                ? null
                : platform.spawn("stop condition", () -> {
                    try {
                        condition.await();
                        stop();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void live() {
        OperatorException failed = null;
        Task stopCondition = watchStopCondition();
        try {
            act();
        } catch (OperatorException e) {
            failed = e;
        } catch (ClientException e) {
            failed = new OperatorException("The operator cannot start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failed = new OperatorException("The operator has failed unexpectedly: " + e, e);
        } finally {
            if (stopCondition != null) {
                stopCondition.interrupt();
            }
            end(failed);
        }
    }

    private void end(@Nullable OperatorException failed) {
        monitor.locked(() -> {
            failure = failed;
            ended = true;
        });
    }

    /** Starts, works until it is asked to stop, and leaves everything as it should be. */
    private void act() throws InterruptedException {
        log.debug("Starting {}.", UserAgent.USER_AGENT);
        ClusterAccess access = access();
        try (IntegrationServices services = new IntegrationServices(access)) {
            ActivityRunner activityRunner = new ActivityRunner(
                    platform, registry.activities(), settings, services, access.logins(), operatorMemos, indices);
            StartupAndCleanup startupAndCleanup = new StartupAndCleanup(platform, activityRunner);
            startupAndCleanup.startUp(settings);
            checkIds();
            ProbeServer probes = operatorEndpoints.start(activityRunner, settings);
            try (ConnectionProvider connectionProvider = access.connect(platform, network())) {
                try {
                    work(connectionProvider, services);
                } finally {
                    leave();
                    startupAndCleanup.cleanUp(exitDeadline());
                }
            } finally {
                probes.close();
            }
        }
        log.debug("The operator has stopped.");
    }

    /** Only now: where progress is stored may have been chosen by start-up handlers. */
    private void checkIds() {
        OperatorSettings.Persistence persistence = settings.persistence();
        try {
            HandlerIdRules.check(
                    registry.handlers(), StorageFactory.progress(persistence.progressStorage(), persistence.prefix()));
        } catch (HandlerDeclarationException e) {
            throw new OperatorException("The operator does not start: " + e.getMessage(), e);
        }
    }

    /** The user's login handlers take the place of the built-in logins. */
    private ClusterAccess access() {
        ClusterAccess planned = operatorEnvironment.access();
        ActivityRunner logins = new ActivityRunner(
                platform,
                registry.activities(),
                settings,
                ServiceProvider.NONE,
                planned.logins(),
                operatorMemos,
                indices);
        return logins.has(Activity.LOGIN) ? planned.with(new LoginHandlerCredentials(logins)) : planned;
    }

    /** Watches and handles until it is asked to stop. */
    private void work(ConnectionProvider connectionProvider, ServiceProvider serviceProvider)
            throws InterruptedException {
        KubernetesApi api =
                new KubernetesApi(platform, connectionProvider, network(), operatorEndpoints.metrics()::requestEnded);
        ServerConnectionCheck.make(api);
        OperatorPauses operatorPauses = new OperatorPauses(platform);
        Leadership leadership = Leadership.of(platform, api, settings.leaderElection(), operatorPauses);
        KubernetesApi fenced = api.fenced(leadership);
        try (EventPoster events = EventPoster.start(platform, api, settings.posting())) {
            ProcessingEnvironment processingEnvironment = ProcessingFactory.processing(
                    platform,
                    settings,
                    fenced::patch,
                    leadership,
                    serviceProvider.with(EventSink.class, events),
                    indices,
                    operatorMemos,
                    events,
                    operatorEndpoints.metrics());
            OperatorPeerings operatorPeerings = new OperatorPeerings(
                    platform,
                    api,
                    Orchestrator.watching(settings.watching()),
                    settings.peering(),
                    plan.namespaces().isEmpty(),
                    operatorPauses);
            Orchestrator orchestrator = new Orchestrator(
                    platform,
                    api,
                    registry,
                    processingEnvironment,
                    plan.namespaces(),
                    operatorPauses,
                    operatorPeerings);
            try {
                operatorEndpoints.watch(orchestrator, operatorPauses);
                orchestrator.start();
                leadership.begin();
                markReady(orchestrator, operatorPauses);
                awaitStop();
            } finally {
                leave();
                leadership.end(orchestrator.stop());
                operatorPeerings.end();
            }
        }
    }

    /** From now on requests to stop do not interrupt: what is to be done at the end is done. */
    private void leave() {
        monitor.locked(() -> {
            leaving = true;
        });
        try {
            platform.sleep(Duration.ZERO);
        } catch (InterruptedException e) {
            log.debug("The request to stop has come when the operator was leaving already.");
        }
    }

    private Deadline exitDeadline() {
        Duration timeout = settings.process().ultimateExitingTimeout();
        return timeout == null ? Deadline.NEVER : platform.after(timeout);
    }

    private void markReady(Orchestrator orchestrator, OperatorPauses operatorPauses) throws InterruptedException {
        orchestrator.awaitListed(Deadline.NEVER);
        monitor.locked(() -> {
            ready = true;
        });
        operatorEndpoints.markReady();
        List<String> pauses = operatorPauses.reasons();
        log.info(
                "The operator is ready{}.",
                pauses.isEmpty() ? "" : ", but does not act yet: " + String.join("; ", pauses));
        plan.whenReady().run();
    }

    private void awaitStop() throws InterruptedException {
        monitor.awaitTrue(() -> stopRequested, Deadline.NEVER);
        log.info("The operator is stopping.");
    }

    private NetworkSettings network() {
        OperatorSettings.Networking networking = settings.networking();
        return new NetworkSettings(
                networking.requestTimeout(),
                networking.connectTimeout(),
                networking.errorBackoffs(),
                networking.enforceRetryAfter(),
                networking.requestsInFlight(),
                networking.trustEnv());
    }

    /** An operator that is still starting is interrupted; one that works comes to its end by itself. */
    @Override
    public void stop() {
        monitor.locked(() -> {
            if (!stopRequested && !ready && !leaving && task != null) {
                task.interrupt();
            }
            stopRequested = true;
        });
    }

    @Override
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        boolean reached = monitor.awaitTrue(() -> ready || ended, platform.after(timeout));
        throwFailure();
        return reached && monitor.locked(() -> ready);
    }

    @Override
    public OperatorSettings settings() {
        return settings;
    }

    @Override
    public boolean hasEnded() {
        return monitor.locked(() -> ended);
    }

    @Override
    public void join() throws InterruptedException {
        monitor.awaitTrue(() -> ended, Deadline.NEVER);
        throwFailure();
    }

    private void throwFailure() {
        OperatorException known = monitor.locked(() -> failure);
        if (known != null) {
            throw known;
        }
    }

    @Override
    public void close() {
        stop();
        try {
            monitor.awaitTrue(() -> ended, Deadline.NEVER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
