package dev.kopf4j.engine;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorPlan;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.handling.registration.HandlerRegistry;
import dev.kopf4j.engine.registry.RegistryBuilder;
import dev.kopf4j.runtime.SystemPlatform;

/** Puts operators together: the one place that the public API reaches into the engine. */
public final class OperatorAssembly {
    private OperatorAssembly() {}

    /** An operator on the real machine, with the credentials that the plan names. */
    public static Operator assemble(OperatorPlan plan) {
        SystemPlatform platform = new SystemPlatform();
        return assemble(plan, new Surroundings(platform, ClusterAccess.of(plan, platform)));
    }

    /** An operator in given surroundings. */
    public static Operator assemble(OperatorPlan plan, Surroundings surroundings) {
        HandlerRegistry registry = RegistryBuilder.build(plan.registrations(), Memos.type(plan.memo()));
        return new EngineOperator(plan, registry, surroundings);
    }
}
