package dev.kopf4j.testing.environment;

import dev.kopf4j.Body;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.LogLine;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.RecordedRequest;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.text.DurationText;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An operator under test in its environment. Thread-safe in real time. */
public final class RunningOperator implements TestedOperator {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

    private final TestEnvironment environment;
    private final Recording recording;
    private final Supplier<OperatorBuilder> builder;
    private final OperatorWaits waits;
    private final KnownHandlers handlers = new KnownHandlers();
    private volatile @Nullable OperatorHandle handle;

    /**
     * An operator that is not started.
     *
     * @param builder makes a new builder for each start
     * @param timeout how long each wait may take
     */
    public RunningOperator(TestEnvironment environment, Supplier<OperatorBuilder> builder, Duration timeout) {
        this.environment = environment;
        this.recording = environment.recording();
        this.builder = builder;
        this.waits = new OperatorWaits(environment, timeout);
    }

    @Override
    public void restart() {
        if (handle != null && !recording.hasEnded()) {
            close();
        }
        recording.starts();
        OperatorBuilder built = builder.get();
        Operator operator = environment.assemble(built);
        handlers.add(OperatorPlan.of(built));
        OperatorHandle started = operator.start();
        handle = started;
        environment.platform().spawn("end of the operator", () -> awaitEnd(started));
        waits.interruptibly(() -> {
            if (!started.awaitReady(START_TIMEOUT)) {
                throw waits.failure("the operator was not ready within " + DurationText.format(START_TIMEOUT));
            }
            return true;
        });
    }

    private void awaitEnd(OperatorHandle started) {
        try {
            started.join();
            endedIfCurrent(started, null);
        } catch (OperatorException e) {
            endedIfCurrent(started, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endedIfCurrent(OperatorHandle which, @Nullable Throwable failure) {
        if (which.equals(handle)) {
            recording.ended(failure);
        }
    }

    private OperatorHandle handle() {
        OperatorHandle current = handle;
        if (current == null) {
            throw new IllegalStateException("the operator was not started; call restart()");
        }
        return current;
    }

    @Override
    public void kill() {
        environment.kill();
        recording.ended(null);
        handle = null;
    }

    @Override
    public void awaitHandled(Object object) {
        waits.awaitHandled(object);
    }

    @Override
    public <T extends HasMetadata> T awaitHandled(T object) {
        waits.awaitHandled(object);
        T now = environment.client().resource(object).get();
        return now == null ? object : now;
    }

    @Override
    public <T> T awaitHandled(Class<T> type, String name) {
        ObjectReference wanted = ObjectReferences.of(type, name);
        waits.awaitHandled(Map.of(
                "apiVersion", String.valueOf(wanted.apiVersion()),
                "kind", String.valueOf(wanted.kind()),
                "metadata", Map.of("name", name)));
        return waits.read(wanted)
                .orElseThrow(() -> waits.failure("there is no " + wanted.kind() + " " + name))
                .as(type);
    }

    @Override
    public List<Body> snapshots(String kind, String name) {
        environment.requireRecordedRequests();
        List<Body> found = recording.snapshots(kind, name);
        if (found.isEmpty() && !environment.kinds().contains(kind)) {
            throw ServedKinds.notServed(kind, name);
        }
        return found;
    }

    @Override
    public void awaitIdle() {
        waits.awaitIdle();
    }

    @Override
    public Event awaitEvent(String description, Predicate<Event> fits) {
        return waits.awaitEvent(description, fits);
    }

    @Override
    public List<RecordedCall> awaitCalls(String handler, int count) {
        var _ = calls(handler);
        return waits.awaitCalls(handler, count);
    }

    @Override
    public List<RecordedCall> calls() {
        return recording.calls();
    }

    @Override
    public List<RecordedCall> calls(String handler) {
        List<RecordedCall> found = TestedOperator.super.calls(handler);
        if (found.isEmpty()) {
            handlers.require(handler);
        }
        return found;
    }

    @Override
    public List<RecordedRequest> requests() {
        environment.requireRecordedRequests();
        return recording.requests();
    }

    @Override
    public List<Event> events() {
        return recording.events();
    }

    @Override
    public List<LogLine> logs() {
        return recording.logs();
    }

    @Override
    public String output() {
        return recording.output();
    }

    @Override
    public int exitCode() {
        if (!recording.hasEnded()) {
            throw new IllegalStateException("the operator has not ended; stop it before, by close()");
        }
        return recording.failure().isPresent() ? 1 : 0;
    }

    @Override
    public Optional<Throwable> exception() {
        return recording.failure();
    }

    @Override
    public List<String> history() {
        return recording.lines();
    }

    @Override
    public void stop() {
        handle().stop();
    }

    @Override
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return handle().awaitReady(timeout);
    }

    @Override
    public OperatorSettings settings() {
        return handle().settings();
    }

    @Override
    public OperatorState state() {
        return handle().state();
    }

    @Override
    public Map<String, @Nullable Object> probe() throws InterruptedException {
        return handle().probe();
    }

    @Override
    public boolean hasEnded() {
        return recording.hasEnded();
    }

    @Override
    public void join() throws InterruptedException {
        handle().join();
    }

    /**
     * Stops the operator, if it runs, and waits for its end.
     *
     * @throws AssertionError if it has not ended in the time of a wait
     */
    @Override
    public void close() {
        if (handle != null && !recording.hasEnded()) {
            stop();
            try {
                waits.awaitEnd();
            } catch (AssertionError e) {
                waits.interruptibly(() -> {
                    SpareCarriers.addIfNoneIsFree();
                    return true;
                });
                throw e;
            }
        }
    }
}
