package dev.kopf4j.testing.simulation;

import dev.kopf4j.runtime.SimulatedPlatform.InterruptedRunException;
import dev.kopf4j.testing.environment.ServedKinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All seeds of one test, several at a time. Confined to the test's thread.
 *
 * @param options of the annotation
 * @param setup what all seeds have in common
 * @param declaration calls the test for a seed
 * @param name of the test, for messages
 * @param threads how many seeds may run at a time
 * @param worked becomes true when a handler is called under some seed
 * @param kinds is told of the kinds whose states are asked for
 */
record SimulatedTest(
        Simulated options,
        SimulationSetup setup,
        Supplier<Simulation> declaration,
        String name,
        int threads,
        AtomicBoolean worked,
        SimulationRun.KindsAskedFor kinds) {
    private static final int LINES_FIRST = 20;
    private static final int LINES_LAST = 40;

    /** What a seed has broken. */
    private record Failure(long seed, List<PlannedStep> plan, Violation violation) {}

    /** Why a search ended: a rule is broken under a seed, or a trial under it says nothing of the operator. */
    private record Finding(long seed, Optional<Failure> failure, Optional<SimulationRun.MisfitException> misfit) {}

    /** Runs them all; fails with the first seed that breaks a rule. */
    void run() {
        OptionalLong single = given("kopf4j.seed", Long.MIN_VALUE, Long.MAX_VALUE - 1);
        OptionalLong seeds = given("kopf4j.seeds", 1, Integer.MAX_VALUE);
        long first = single.orElse(options.firstSeed());
        int count = single.isPresent() ? 1 : (int) seeds.orElse(options.seeds());
        if (count < 1) {
            throw new IllegalStateException(
                    name + " has no seeds: seeds = " + count + " of @Simulated; 1 is the least");
        }
        if (options.replicas() < 1) {
            throw new IllegalStateException(
                    name + " has no operator: replicas = " + options.replicas() + " of @Simulated; 1 is the least");
        }
        boolean replays = options.replay().length > 0;
        Simulation declared = declaration.get();
        if (options.without().length == Rule.values().length
                && declared.always().isEmpty()
                && declared.finallyHold().isEmpty()) {
            throw new IllegalStateException(name + " checks nothing: it leaves out all rules, and declares none of its"
                    + " own by always(...) or finallyHolds(...)");
        }
        if (!replays && declared.setup().isEmpty() && declared.steps().isEmpty()) {
            throw new IllegalStateException(name + " declares no steps, so that nothing would happen: call step(...) or"
                    + " setup(...) of the Simulation that it is given");
        }
        if (!replays && options.steps() < (declared.setup().isEmpty() ? 1 : 0)) {
            throw new IllegalStateException(name + " has steps = " + options.steps()
                    + " of @Simulated, so that nothing would happen; 1 is the least"
                    + (declared.setup().isEmpty() ? "" : ", or 0 beside setup(...)"));
        }
        try {
            Optional<Failure> failure = replays ? replayed(first) : firstFailure(first, count);
            failure.ifPresent(found -> {
                throw broken(found, !replays && options.shrink());
            });
            // Fewer seeds on demand, as a single one, may show nothing though all of them would.
            if (!replays && single.isEmpty() && count >= options.seeds()) {
                refuseUnservedKinds(count);
                refuseIdleness(count);
            }
        } catch (InterruptedRunException e) {
            throw interrupted("", e);
        }
    }

    /** Under a single seed, the step that applies the definition may not be drawn. */
    private void refuseUnservedKinds(int count) {
        Map.Entry<String, String> never = kinds.neverServed();
        if (never != null) {
            IllegalArgumentException why = ServedKinds.notServed(never.getKey(), never.getValue());
            throw new AssertionError(name + " could not be run, under " + seeds(count) + ": " + why.getMessage(), why);
        }
    }

    private static String seeds(int count) {
        return count == 1 ? "the only seed" : "any of the " + count + " seeds";
    }

    /** Whoever does not want this rule knows that nothing is handled. */
    private void refuseIdleness(int count) {
        if (!worked.get() && !List.of(options.without()).contains(Rule.FINAL_STATE_SEEN)) {
            throw new AssertionError("no handler was called under " + seeds(count)
                    + " of " + name + ", so that they show nothing: look at the kinds, filters and namespaces"
                    + " of the handlers, and at what the steps make. If it is meant so, give @Simulated"
                    + " without = Rule.FINAL_STATE_SEEN");
        }
    }

    private AssertionError broken(Failure found, boolean shrinks) {
        try {
            return new AssertionError(report(found, shrinks ? shrunk(found) : found.plan()));
        } catch (InterruptedRunException e) {
            Violation violation = found.violation();
            return interrupted(
                    " while seed " + found.seed() + ", which breaks the rule '" + violation.rule() + "': "
                            + violation.how() + ", was " + (shrinks ? "made smaller" : "repeated")
                            + "; -Dkopf4j.seed=" + found.seed() + " repeats it",
                    e);
        }
    }

    private static AssertionError interrupted(String when, Exception cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("the test was interrupted" + when, cause);
    }

    /** A number that a system property gives; an empty text gives none. */
    static OptionalLong given(String property, long least, long most) {
        String text = System.getProperty(property);
        if (text == null || text.isBlank()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(text.strip());
            if (number >= least && number <= most) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            throw notGiven(property, text, least, e);
        }
        throw notGiven(property, text, least, null);
    }

    private static IllegalArgumentException notGiven(
            String property, String text, long least, @Nullable NumberFormatException cause) {
        return new IllegalArgumentException(
                "-D" + property + "=" + text + " makes no sense: take a whole number"
                        + (least > 0 ? ", at least " + least : ""),
                cause);
    }

    private Optional<Failure> replayed(long seed) {
        List<PlannedStep> plan =
                List.of(options.replay()).stream().map(PlannedStep::parse).toList();
        plan.forEach(step -> checkKnown(step, declaration.get()));
        return trial(seed, plan).map(violation -> new Failure(seed, plan, violation));
    }

    private void checkKnown(PlannedStep step, Simulation simulation) {
        boolean known = step.fault()
                ? FaultKind.isKnown(step.what())
                : simulation.find(step.what()).isPresent();
        if (!known) {
            throw new IllegalArgumentException(name + " cannot be repeated: there is no "
                    + (step.fault() ? "fault" : "step") + " '" + step.what() + "'"
                    + (step.fault() ? "" : "; there are " + simulation.names())
                    + ". Was it renamed? Change replay = {...} of @Simulated, or take it away");
        }
    }

    /** The lowest seed that ends a search, so that the answer does not depend on the number of threads. */
    private Optional<Failure> firstFailure(long first, int count) {
        AtomicLong next = new AtomicLong(first);
        AtomicLong end = new AtomicLong(first + count);
        int atATime = Math.min(count, threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(atATime)) {
            List<Future<Optional<Finding>>> searches = IntStream.range(0, atATime)
                    .mapToObj(each -> executor.submit(() -> search(next, end)))
                    .toList();
            List<Finding> findings = new ArrayList<>();
            try {
                for (Future<Optional<Finding>> each : searches) {
                    each.get().ifPresent(findings::add);
                }
            } catch (InterruptedException | ExecutionException e) {
                end.set(Long.MIN_VALUE);
                executor.shutdownNow();
                throw e;
            }
            Optional<Finding> lowest = findings.stream().min(Comparator.comparingLong(Finding::seed));
            lowest.flatMap(Finding::misfit).ifPresent(misfit -> {
                throw new AssertionError(name + " could not be run: " + misfit.getMessage(), misfit);
            });
            return lowest.flatMap(Finding::failure);
        } catch (InterruptedException e) {
            throw interrupted("", e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new AssertionError(name + " could not be run: " + cause.getMessage(), cause);
        }
    }

    private Optional<Finding> search(AtomicLong next, AtomicLong end) {
        for (long seed = next.getAndIncrement(); seed < end.get(); seed = next.getAndIncrement()) {
            Optional<Finding> finding = finding(seed);
            if (finding.isPresent()) {
                long found = seed;
                end.updateAndGet(before -> Math.min(before, found));
                return finding;
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> finding(long seed) {
        List<PlannedStep> plan = plan(seed);
        try {
            return trial(seed, plan)
                    .map(violation ->
                            new Finding(seed, Optional.of(new Failure(seed, plan, violation)), Optional.empty()));
        } catch (SimulationRun.MisfitException e) {
            return Optional.of(new Finding(seed, Optional.empty(), Optional.of(e)));
        }
    }

    private List<PlannedStep> plan(long seed) {
        Simulation simulation = declaration.get();
        return new PlanDraft(seed, List.of(options.faults()))
                .plan(names(simulation.setup()), names(simulation.steps()), options.steps());
    }

    private static List<String> names(List<Simulation.Step> steps) {
        return steps.stream().map(Simulation.Step::name).toList();
    }

    private Optional<Violation> trial(long seed, List<PlannedStep> plan) {
        SimulationRun run = new SimulationRun(seed, plan, setup, declaration.get(), true);
        Optional<Violation> violation = run.live();
        if (run.hasWorked()) {
            worked.set(true);
        }
        run.tell(kinds);
        return violation;
    }

    /** Steps may not fit each other where others are left out. */
    private Optional<Violation> tried(long seed, List<PlannedStep> plan) {
        try {
            return trial(seed, plan);
        } catch (SimulationRun.MisfitException e) {
            return Optional.empty();
        }
    }

    private List<PlannedStep> shrunk(Failure failure) {
        Set<String> setup = Set.copyOf(names(declaration.get().setup()));
        return new Shrinking(
                        plan -> tried(failure.seed(), plan),
                        failure.violation(),
                        step -> !step.fault() && setup.contains(step.what()))
                .smallest(failure.plan());
    }

    private String report(Failure failure, List<PlannedStep> plan) {
        SimulationRun last = new SimulationRun(failure.seed(), plan, setup, declaration.get(), false);
        Violation violation = last.live().orElse(failure.violation());
        String quoted = plan.stream().map(step -> "    \"" + step + "\"").collect(Collectors.joining(",\n"));
        boolean differs = !violation.how().equals(failure.violation().how());
        return "seed " + failure.seed() + " of " + name + " breaks the rule '"
                + failure.violation().rule() + "':\n  "
                + failure.violation().how().replace("\n", "\n  ") + "\n"
                + (plan.equals(failure.plan())
                        ? "Its steps:\n"
                        : "The fewest steps that were found to show it (of "
                                + failure.plan().size() + "):\n")
                + plan.stream().map(step -> "  " + words(step)).collect(Collectors.joining("\n")) + "\n"
                + (differs ? "They break it so:\n  " + violation.how().replace("\n", "\n  ") + "\n" : "")
                + "What has happened:\n" + shown(last.history()) + "\n"
                + "To repeat it, give @Simulated of this test:\n"
                + "  firstSeed = " + failure.seed() + ", replay = {\n" + quoted + "\n  }\n"
                + "or run it with -Dkopf4j.seed=" + failure.seed() + ", with all of its steps.\n";
    }

    private static String shown(List<String> history) {
        int left = history.size() - LINES_FIRST - LINES_LAST;
        return left <= 0
                ? String.join("\n", history)
                : String.join("\n", history.subList(0, LINES_FIRST)) + "\n  (" + left + " lines between)\n"
                        + String.join("\n", history.subList(LINES_FIRST + left, history.size()));
    }

    private static String words(PlannedStep step) {
        String pause = step.pauseMillis() == 0 ? "at once" : "after " + step.pauseMillis() + " ms";
        boolean numbered = step.fault() && step.what().contains("request");
        return pause + ": " + step.what() + (numbered ? " " + step.number() + " from here" : "");
    }
}
