package dev.kopf4j.testing.simulation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run once for each seed, with a {@link Simulation} as its only parameter: it declares steps and rules,
 * and returns. Then the seed chooses what happens when: the steps of the test, faults of requests and watches, restarts
 * and kills of the operator. In the end all faults stop, and the rules must hold.
 *
 * <p>These rules are always checked: each handler has finally seen the final state; no success that was recorded is
 * repeated; no finalizer is left on an object that is being deleted; no replica writes after it has lost the lease; and
 * nothing is written when nothing happens any more.
 *
 * <p>Each seed has a new instance of the test's class, and several seeds run at a time. What JUnit or
 * {@code @BeforeEach} fill in fields of its instance ({@code @TempDir}, mocks) is not there, so that such a test is
 * refused: the test's method makes what it needs. Static fields live on from start to start of the operator, and are
 * shared by all seeds: keep what a process knows in instances. All seeds of a {@code @Nested} class, or one whose
 * constructor has parameters, share the instance of JUnit, and run one after the other. System properties:
 * {@code kopf4j.seeds} for another number of seeds, {@code kopf4j.seed} for a single one.
 */
@Documented
@Test
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ExtendWith(SimulatedExtension.class)
public @interface Simulated {
    /** The classes with handlers; none if the test declares the operator by {@link Simulation#operator}. */
    Class<?>[] value() default {};

    /** The arguments of {@code kopf4j run}: as in {@link dev.kopf4j.testing.KopfTest#run}. */
    String[] run() default {};

    /** What is applied before: as in {@link dev.kopf4j.testing.KopfTest#apply}. */
    String[] apply() default {};

    /** How many seeds. */
    int seeds() default 100;

    /** The first seed; they are consecutive. */
    long firstSeed() default 1;

    /** How many steps of the test happen, beside the faults; at least 1, or 0 if the test has a setup. */
    int steps() default 10;

    /** How many replicas of the operator run. More than one need leader election, or handlers that do not mind. */
    int replicas() default 1;

    /** The kinds of faults; by default those that each operator has to live with. */
    FaultKind[] faults() default {
        FaultKind.KILL,
        FaultKind.RESTART,
        FaultKind.REFUSAL,
        FaultKind.BROKEN_CONNECTION,
        FaultKind.WATCH,
        FaultKind.LEASE,
        FaultKind.REPLACEMENT
    };

    /** Whether a plan that breaks a rule is made smaller, which takes up to 600 further runs. */
    boolean shrink() default true;

    /**
     * How long a handler may compute at a stretch, in real time, until it is taken for an endless loop, which fails the
     * test by its name and seed; such as {@code "30s"} or {@code "5m"}, above zero.
     */
    String busy() default "30s";

    /** Rules that are not checked. */
    Rule[] without() default {};

    /** Steps and faults of a single run, as a failed test has printed them; then {@link #firstSeed} is its seed. */
    String[] replay() default {};
}
