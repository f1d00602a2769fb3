package dev.kopf4j.engine;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;

/** An operator that can be started, also several times. Thread-safe. */
final class EngineOperator implements Operator {
    private final OperatorPlan plan;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;

    EngineOperator(OperatorPlan plan, HandlerRegistry registry, OperatorEnvironment operatorEnvironment) {
        this.plan = plan;
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
    }

    @Override
    public void run() {
        OperatorHandle handle = start();
        try {
            handle.join();
        } catch (InterruptedException e) {
            handle.close();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public OperatorHandle start() {
        return EngineOperatorHandle.start(plan, registry, operatorEnvironment);
    }
}
