package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorPlan;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.StopCondition;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.connection.Connections;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ProductVersion;
import dev.kopf4j.engine.activity.Activities;
import dev.kopf4j.engine.activity.LoginHandlers;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.handling.context.Services;
import dev.kopf4j.engine.handling.registration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.leading.Leadership;
import dev.kopf4j.engine.pausing.Pauses;
import dev.kopf4j.engine.peering.Peerings;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.reactor.Orchestrator;
import dev.kopf4j.engine.reactor.Processing;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of an operator, from its start to its end. Thread-safe. */
final class RunningOperator implements OperatorHandle {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final OperatorPlan plan;
    private final HandlerRegistry registry;
    private final Surroundings surroundings;
    private final IndexSet indices;
    private final Memos memos;
    private final OperatorSettings settings;
    private final Platform platform;
    private final Monitor monitor;
    private final Serving serving;
    private @Nullable Task task;
    private boolean stopRequested;
    private boolean ready;
    private boolean leaving;
    private boolean ended;
    private @Nullable OperatorException failure;

    private RunningOperator(OperatorPlan plan, HandlerRegistry registry, Surroundings surroundings) {
        this.plan = plan;
        this.settings = plan.settings().copy();
        this.registry = registry;
        this.surroundings = surroundings;
        this.indices = IndexSet.of(registry);
        this.memos = new Memos(plan.memo());
        this.platform = surroundings.platform();
        this.monitor = platform.monitor();
        this.serving = new Serving(platform, plan);
    }

    static RunningOperator start(OperatorPlan plan, HandlerRegistry registry, Surroundings surroundings) {
        RunningOperator operator = new RunningOperator(plan, registry, surroundings);
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
        log.debug("Starting {}.", ProductVersion.USER_AGENT);
        ClusterAccess access = access();
        try (HandlerServices services = new HandlerServices(access)) {
            Activities activities = new Activities(
                    platform, registry.activities(), settings, services, access.logins(), memos, indices);
            OperatorActivities operatorActivities = new OperatorActivities(platform, activities);
            operatorActivities.startUp(settings);
            ProbeServer probes = serving.start(activities, settings);
            try (Connections connections = access.connect(platform, network())) {
                try {
                    work(connections, services);
                } finally {
                    leave();
                    operatorActivities.cleanUp(exitDeadline());
                }
            } finally {
                probes.close();
            }
        }
        log.debug("The operator has stopped.");
    }

    /** The user's login handlers take the place of the built-in logins. */
    private ClusterAccess access() {
        ClusterAccess planned = surroundings.access();
        Activities logins = new Activities(
                platform, registry.activities(), settings, Services.NONE, planned.logins(), memos, indices);
        return logins.has(Activity.LOGIN) ? planned.with(new LoginHandlers(logins)) : planned;
    }

    /** Watches and handles until it is asked to stop. */
    private void work(Connections connections, Services services) throws InterruptedException {
        KubernetesApi api = new KubernetesApi(platform, connections, network(), serving.metrics()::requestEnded);
        FirstContact.make(api);
        Pauses pauses = new Pauses(platform);
        Leadership leadership = Leadership.of(platform, api, settings.leaderElection(), pauses);
        KubernetesApi fenced = api.fenced(leadership);
        try (EventPoster events = EventPoster.start(platform, api, settings.posting())) {
            Processing processing = EngineParts.processing(
                    platform,
                    settings,
                    fenced::patch,
                    services.with(EventSink.class, events),
                    indices,
                    memos,
                    events,
                    serving.metrics());
            Peerings peerings = new Peerings(
                    platform,
                    api,
                    Orchestrator.watching(settings.watching()),
                    settings.peering(),
                    plan.namespaces().isEmpty(),
                    pauses);
            Orchestrator orchestrator =
                    new Orchestrator(platform, api, registry, processing, plan.namespaces(), pauses, peerings);
            try {
                serving.watch(orchestrator, pauses);
                orchestrator.start();
                leadership.begin();
                markReady(orchestrator);
                awaitStop();
            } finally {
                leave();
                leadership.end(orchestrator.stop());
                peerings.end();
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

    private void markReady(Orchestrator orchestrator) throws InterruptedException {
        orchestrator.awaitListed(Deadline.NEVER);
        monitor.locked(() -> {
            ready = true;
        });
        serving.markReady();
        log.info("The operator is ready.");
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
