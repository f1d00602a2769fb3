package dev.kopf4j.engine;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StopCondition;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.engine.OperatorAssembly.Observer;
import dev.kopf4j.engine.RunState.RunPlatform;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.StopSignals;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An operator that can be started, also several times. Thread-safe. */
final class EngineOperator implements Operator {
    private final OperatorPlan plan;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;
    private final StopSignals signals;
    private final @Nullable Observer observer;

    /**
     * An operator that does not run yet.
     *
     * @param observer makes somebody who hears of the requests of each run; null for nobody
     */
    EngineOperator(
            OperatorPlan plan,
            HandlerRegistry registry,
            OperatorEnvironment operatorEnvironment,
            StopSignals signals,
            @Nullable Observer observer) {
        this.plan = plan;
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
        this.signals = signals;
        this.observer = observer;
    }

    @Override
    public void run() {
        OperatorHandle handle = start(true);
        try {
            handle.join();
        } catch (InterruptedException e) {
            handle.close();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public OperatorHandle start() {
        return start(false);
    }

    private OperatorHandle start(boolean stopOnSignalsByDefault) {
        Boolean chosen = plan.course().stopOnSignals();
        boolean stopOnSignals = chosen == null ? stopOnSignalsByDefault : chosen;
        return EngineOperatorHandle.start(
                observed(plan.with(plan.settings().copy())),
                registry,
                operatorEnvironment,
                stopOnSignals ? signals : StopSignals.IGNORED);
    }

    private OperatorPlan observed(OperatorPlan ofRun) {
        return observer == null ? ofRun : ofRun.with(observer.of(ofRun, operatorEnvironment.platform()));
    }

    /** The handle of one run of an operator: starts it in a task of its own, and tells how it ends. Thread-safe. */
    private static final class EngineOperatorHandle implements OperatorHandle {
        private final OperatorPlan plan;
        private final Platform platform;
        private final RunState state;

        /** Null once it has ended: a handle is often kept for longer, and must not keep its indices and objects. */
        private volatile @Nullable OperatorRun run;

        /** How it is doing or, once it has ended, how it was. */
        private volatile Supplier<OperatorState> told;

        private EngineOperatorHandle(
                OperatorPlan plan, HandlerRegistry registry, OperatorEnvironment operatorEnvironment) {
            this.plan = plan;
            this.state = new RunState(operatorEnvironment.platform());
            this.platform = new RunPlatform(operatorEnvironment.platform(), state);
            OperatorRun made =
                    new OperatorRun(plan, plan.settings(), registry, operatorEnvironment.on(platform), state);
            this.run = made;
            this.told = made::state;
        }

        static EngineOperatorHandle start(
                OperatorPlan plan,
                HandlerRegistry registry,
                OperatorEnvironment operatorEnvironment,
                StopSignals signals) {
            EngineOperatorHandle operator = new EngineOperatorHandle(plan, registry, operatorEnvironment);
            StopSignals.Listening listening = signals.call(operator::stop);
            operator.state.begin(() -> operator.live(listening));
            return operator;
        }

        private void live(StopSignals.Listening signals) {
            OperatorException failure = null;
            Task stopCondition = watchStopCondition();
            try {
                Objects.requireNonNull(run).run();
            } catch (OperatorException e) {
                failure = e;
            } catch (NoCredentialsException e) {
                failure = new OperatorException("The operator cannot start: " + e.getMessage(), e.forUsers());
            } catch (ClientException e) {
                failure = new OperatorException("The operator cannot start: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TaskEndError e) {
                throw e;
            } catch (Throwable e) {
                // Errors, too, and checked exceptions of other languages: whoever waits for the end must not take it
                // for a graceful one.
                Throwable told = Platform.tellable(e);
                failure = new OperatorException("The operator has failed unexpectedly: " + told, told);
            } finally {
                signals.close();
                state.end(failure);
                if (stopCondition != null) {
                    // Only now, so that what it throws is not taken for the failure of the run.
                    stopCondition.interrupt();
                }
                OperatorState last = told.get();
                told = () -> last;
                run = null;
            }
        }

        /**
         * Waits for the condition of the application that embeds the operator, if there is one, and stops the operator
         * then.
         */
        private @Nullable Task watchStopCondition() {
            StopCondition condition = plan.course().stopWhen();
            return condition == null
                    ? null
                    : platform.spawn("stop condition", () -> {
                        try {
                            condition.await();
                            stop();
                        } catch (TaskEndError e) {
                            throw e;
                        } catch (Throwable e) {
                            if (!(e instanceof InterruptedException && state.hasEnded())) {
                                // Nobody would stop the operator any more, so it does not go on. Other languages throw
                                // checked exceptions, too, and an interrupt may be that of a pool of its own.
                                Throwable told = Platform.tellable(e);
                                state.fail(new OperatorException("The condition to stop has failed: " + told, told));
                            }
                        }
                    });
        }

        @Override
        public void stop() {
            state.requestStop();
        }

        @Override
        public boolean awaitReady(Duration timeout) throws InterruptedException {
            return state.awaitReady(timeout);
        }

        @Override
        public OperatorSettings settings() {
            return plan.settings();
        }

        @Override
        public OperatorState state() {
            return told.get();
        }

        @Override
        public Map<String, @Nullable Object> probe() throws InterruptedException {
            OperatorRun current = run;
            return current == null || hasEnded() ? Map.of() : current.probe();
        }

        @Override
        public boolean hasEnded() {
            return state.hasEnded();
        }

        @Override
        public void join() throws InterruptedException {
            state.awaitEnd();
            state.throwFailure();
        }

        @Override
        public void close() {
            stop();
            try {
                state.awaitEnd();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
