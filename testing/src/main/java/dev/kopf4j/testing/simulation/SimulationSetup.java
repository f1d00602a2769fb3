package dev.kopf4j.testing.simulation;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.OperatorPlan;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What all seeds of a test have in common. Immutable.
 *
 * @param plan the operator as the annotation describes it
 * @param definitions what is applied before
 * @param replicas how many replicas run
 * @param without the rules that are not checked
 * @param busyLimit how long a handler may be busy at a stretch, in real time
 */
record SimulationSetup(
        Supplier<OperatorPlan> plan, List<String> definitions, int replicas, Set<Rule> without, Duration busyLimit) {
    /** What the operator consists of: the test's own way wins. */
    OperatorPlan plan(Simulation simulation) {
        Supplier<OperatorBuilder> own = simulation.operator();
        return own == null ? plan.get() : OperatorPlan.of(own.get());
    }
}
