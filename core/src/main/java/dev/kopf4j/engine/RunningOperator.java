package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorPlan;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.ClientException;
import dev.kopf4j.client.Connections;
import dev.kopf4j.client.KubernetesApi;
import dev.kopf4j.client.NetworkSettings;
import dev.kopf4j.engine.handling.HandlerRegistry;
import dev.kopf4j.engine.pausing.Pauses;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.reactor.Orchestrator;
import dev.kopf4j.engine.reactor.Processing;
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
    private final Platform platform;
    private final Monitor monitor;
    private @Nullable Task task;
    private boolean stopRequested;
    private boolean ready;
    private boolean ended;
    private @Nullable OperatorException failure;

    private RunningOperator(OperatorPlan plan, HandlerRegistry registry, Surroundings surroundings) {
        this.plan = plan;
        this.registry = registry;
        this.surroundings = surroundings;
        this.platform = surroundings.platform();
        this.monitor = platform.monitor();
    }

    static RunningOperator start(OperatorPlan plan, HandlerRegistry registry, Surroundings surroundings) {
        RunningOperator operator = new RunningOperator(plan, registry, surroundings);
        operator.monitor.locked(() -> {
            operator.task = operator.platform.spawn("operator", operator::live);
        });
        return operator;
    }

    private void live() {
        OperatorException failed = null;
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
            end(failed);
        }
    }

    private void end(@Nullable OperatorException failed) {
        monitor.locked(() -> {
            failure = failed;
            ended = true;
        });
    }

    /** Logs in, watches until it is asked to stop, and leaves everything as it should be. */
    private void act() throws InterruptedException {
        try (Connections connections = surroundings.access().connect(platform, network())) {
            KubernetesApi api = new KubernetesApi(platform, connections, network());
            FirstContact.make(api);
            act(api);
        }
        log.debug("The operator has stopped.");
    }

    private void act(KubernetesApi api) throws InterruptedException {
        OperatorSettings settings = plan.settings();
        try (EventPoster events = EventPoster.start(platform, api, settings.posting());
                HandlerServices services = new HandlerServices(surroundings.access(), events)) {
            Processing processing = EngineParts.processing(platform, settings, api::patch, services, events);
            Pauses pauses = new Pauses(platform);
            Orchestrator orchestrator =
                    new Orchestrator(platform, api, registry, processing, plan.namespaces(), pauses);
            try {
                orchestrator.start();
                markReady(orchestrator);
                awaitStop();
            } finally {
                orchestrator.stop();
            }
        }
    }

    private void markReady(Orchestrator orchestrator) throws InterruptedException {
        orchestrator.awaitListed(Deadline.NEVER);
        monitor.locked(() -> {
            ready = true;
        });
        log.info("The operator is ready.");
    }

    private void awaitStop() throws InterruptedException {
        monitor.awaitTrue(() -> stopRequested, Deadline.NEVER);
        log.info("The operator is stopping.");
    }

    private NetworkSettings network() {
        var settings = plan.settings().networking();
        return new NetworkSettings(
                settings.requestTimeout(),
                settings.connectTimeout(),
                settings.errorBackoffs(),
                settings.enforceRetryAfter(),
                settings.requestsInFlight(),
                settings.trustEnv());
    }

    /** An operator that is still starting is interrupted; one that works comes to its end by itself. */
    @Override
    public void stop() {
        monitor.locked(() -> {
            stopRequested = true;
            if (!ready && task != null) {
                task.interrupt();
            }
        });
    }

    @Override
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        boolean reached = monitor.awaitTrue(() -> ready || ended, platform.after(timeout));
        throwFailure();
        return reached && monitor.locked(() -> ready);
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
