package dev.kopf4j.engine.steps;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.TaskEndError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

/**
 * Makes the calls of steps that begin together, and has their ends recorded: those together that come at about the same
 * time. One step without a timeout is called in the thread of the handler. Otherwise each has a task of its own, and
 * all have ended when {@link #make} returns or throws. Confined to the thread of the handler's call; used once.
 */
final class StepCalls {
    private final CallSteps steps;
    private final StepEnvironment environment;
    private final HandlerContext context;
    private final List<PlannedStep<?>> planned;
    private final Monitor monitor;
    /** Those that have ended and are not recorded; guarded by the monitor. */
    private final Map<PlannedStep<?>, End> ends = new LinkedHashMap<>();

    private final Map<PlannedStep<?>, Task> running = new LinkedHashMap<>();
    private final Map<PlannedStep<?>, Deadline> timeouts = new LinkedHashMap<>();

    StepCalls(CallSteps steps, StepEnvironment environment, HandlerContext context, List<PlannedStep<?>> planned) {
        this.steps = steps;
        this.environment = environment;
        this.context = context;
        this.planned = planned;
        this.monitor = environment.platform().monitor();
    }

    /**
     * How a call has ended.
     *
     * @param result what is to be recorded; null for nothing
     * @param thrown null if it has returned
     * @param isTimeout true if it was interrupted, as its time was over
     */
    record End(@Nullable JsonNode result, @Nullable Throwable thrown, boolean isTimeout) {
        End(@Nullable JsonNode result, @Nullable Throwable thrown) {
            this(result, thrown, false);
        }
    }

    /** Makes them; failures are told to the steps. */
    void make() throws InterruptedException {
        if (planned.size() == 1 && planned.getFirst().options().timeout() == null) {
            PlannedStep<?> only = planned.getFirst();
            End end = call(only);
            if (end.thrown() instanceof InterruptedException interruption) {
                throw interruption;
            }
            take(Map.of(only, end));
            return;
        }
        planned.forEach(this::start);
        try {
            awaitEnds();
        } catch (InterruptedException | RuntimeException e) {
            running.values().forEach(Task::interrupt);
            joinAll();
            throw e;
        }
    }

    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here; whoever waits for it looks at the end
    private static End call(PlannedStep<?> step) {
        try {
            return new End(CallSteps.callAs(step.id(), step::invoke), null);
        } catch (TaskEndError e) {
            throw e;
        } catch (Throwable e) {
            // Errors, too: a step that has failed is recorded as such.
            return new End(null, e);
        }
    }

    private void start(PlannedStep<?> step) {
        Map<String, String> logged =
                Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of());
        timeouts.put(step, timeout(step));
        running.put(step, environment.platform().spawn(step.id() + "@" + context.name(), () -> {
            MDC.setContextMap(logged);
            End end = CurrentHandlerContext.callWithContext(context, () -> call(step));
            monitor.locked(() -> {
                ends.put(step, end);
            });
        }));
    }

    private Deadline timeout(PlannedStep<?> step) {
        Duration timeout = step.options().timeout();
        Instant started = step.record().started();
        if (timeout == null) {
            return Deadline.NEVER;
        }
        Duration used = started == null
                ? Duration.ZERO
                : Duration.between(started, environment.platform().now());
        return environment.platform().after(timeout.minus(used));
    }

    private void awaitEnds() throws InterruptedException {
        Deadline together = Deadline.NEVER;
        while (!running.isEmpty()) {
            Deadline next = timeouts.values().stream().reduce(together, Deadline::orEarlier);
            int known = monitor.locked(ends::size);
            monitor.awaitTrue(() -> ends.size() > known || ends.size() == running.size(), next);
            interruptLate();
            int ended = monitor.locked(ends::size);
            if (ended > 0 && together.isNever()) {
                together = environment.platform().after(environment.together());
            }
            if (ended == running.size() || together.hasPassed(environment.platform())) {
                take(takeEnds());
                together = Deadline.NEVER;
            }
        }
    }

    /** A step that ignores its interruption holds up its handler, whose own timeout may leave both behind. */
    private void interruptLate() {
        List<PlannedStep<?>> late = new ArrayList<>();
        timeouts.forEach((step, deadline) -> {
            if (deadline.hasPassed(environment.platform())) {
                late.add(step);
            }
        });
        for (PlannedStep<?> each : late) {
            timeouts.remove(each);
            Task task = running.get(each);
            if (task != null) {
                task.interrupt();
            }
        }
    }

    private Map<PlannedStep<?>, End> takeEnds() {
        Map<PlannedStep<?>, End> taken = monitor.locked(() -> {
            Map<PlannedStep<?>, End> all = new LinkedHashMap<>(ends);
            ends.clear();
            return all;
        });
        Map<PlannedStep<?>, End> judged = new LinkedHashMap<>();
        taken.forEach((step, end) -> {
            running.remove(step);
            boolean wasLate = timeouts.remove(step) == null;
            judged.put(step, wasLate && end.thrown() != null ? new End(null, end.thrown(), true) : end);
        });
        return judged;
    }

    private void take(Map<PlannedStep<?>, End> taken) throws InterruptedException {
        for (Map.Entry<PlannedStep<?>, End> each : taken.entrySet()) {
            steps.ended(each.getKey(), each.getValue());
        }
        steps.recordEnded(planned.stream().filter(taken::containsKey).toList());
    }

    /** Whoever interrupts the handler waits for it, and it waits for its steps. */
    private void joinAll() {
        boolean interrupted = false;
        for (Task each : running.values()) {
            while (!each.isFinished()) {
                try {
                    var _ = each.join(Deadline.NEVER);
                } catch (InterruptedException e) {
                    interrupted = true;
                    each.interrupt();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
