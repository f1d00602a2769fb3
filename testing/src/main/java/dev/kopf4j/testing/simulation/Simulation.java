package dev.kopf4j.testing.simulation;

import dev.kopf4j.OperatorBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a simulated test declares: its operator, what happens, and what must hold. Confined to one seed. */
public final class Simulation {
    private final List<Step> setup = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<Check> always = new ArrayList<>();
    private final List<Check> finallyHold = new ArrayList<>();
    private @Nullable Supplier<OperatorBuilder> operator;

    Simulation() {}

    /** Something that happens, or is checked. */
    @FunctionalInterface
    public interface Action {
        /** Does it, on the cluster of the simulation; an {@link AssertionError} breaks the rule of a check. */
        void run(World world) throws Exception;
    }

    record Step(String name, Action action) {}

    record Check(String name, Action action) {}

    /** The operator under test; called for each of its starts. */
    public Simulation operator(Supplier<OperatorBuilder> builder) {
        this.operator = builder;
        return this;
    }

    /**
     * Something that happens once at the beginning, before all other steps, in the order of declarations. Each run has
     * it, that of the fewest steps, too.
     */
    public Simulation setup(String name, Action action) {
        setup.add(named(name, action));
        return this;
    }

    /** Something that happens at any time and any number of times. */
    public Simulation step(String name, Action action) {
        steps.add(named(name, action));
        return this;
    }

    private Step named(String name, Action action) {
        if (find(name).isPresent()) {
            throw new IllegalArgumentException("there is a step '" + name + "' already; each has a name of its own");
        }
        return new Step(name, action);
    }

    /** What must hold at any time: it is checked after each write. */
    public Simulation always(String name, Action check) {
        always.add(new Check(name, check));
        return this;
    }

    /** What must hold in the end, when all faults are over and the operator is at rest. */
    public Simulation finallyHolds(String name, Action check) {
        finallyHold.add(new Check(name, check));
        return this;
    }

    List<Step> setup() {
        return setup;
    }

    List<Step> steps() {
        return steps;
    }

    /** The step of that name; empty if there is none. */
    Optional<Step> find(String name) {
        return Stream.concat(setup.stream(), steps.stream())
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    /** The names of all steps, in words. */
    String names() {
        return Stream.concat(setup.stream(), steps.stream())
                .map(each -> "'" + each.name() + "'")
                .collect(Collectors.joining(", "));
    }

    List<Check> always() {
        return always;
    }

    List<Check> finallyHold() {
        return finallyHold;
    }

    @Nullable Supplier<OperatorBuilder> operator() {
        return operator;
    }
}
