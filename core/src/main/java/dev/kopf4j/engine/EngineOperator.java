package dev.kopf4j.engine;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.runtime.StopSignals;

/** An operator that can be started, also several times. Thread-safe. */
final class EngineOperator implements Operator {
    private final OperatorPlan plan;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;
    private final StopSignals signals;

    EngineOperator(
            OperatorPlan plan, HandlerRegistry registry, OperatorEnvironment operatorEnvironment, StopSignals signals) {
        this.plan = plan;
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
        this.signals = signals;
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
        Boolean chosen = plan.stopOnSignals();
        boolean stopOnSignals = chosen == null ? stopOnSignalsByDefault : chosen;
        return EngineOperatorHandle.start(
                plan, registry, operatorEnvironment, stopOnSignals ? signals : StopSignals.IGNORED);
    }
}
