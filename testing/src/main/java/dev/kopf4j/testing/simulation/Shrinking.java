package dev.kopf4j.testing.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes a plan that breaks a rule smaller, as long as it breaks the same rule by the same facts. What sets the test up
 * stays. Confined.
 */
final class Shrinking {
    private static final int ATTEMPTS_MAX = 300;
    private static final int FEW = 3;
    private static final int REQUESTS_MAX = 8;
    private static final int PAUSE_MILLIS = 200;

    private final Function<List<PlannedStep>, Optional<Violation>> trial;
    private final Violation violation;
    private final Predicate<PlannedStep> setsUp;
    private final Set<List<PlannedStep>> tried = new HashSet<>();
    private int attempts;

    /**
     * Nothing is tried yet.
     *
     * @param trial runs a plan
     * @param violation what the whole plan has broken
     * @param setsUp true for steps that each plan has
     */
    Shrinking(
            Function<List<PlannedStep>, Optional<Violation>> trial,
            Violation violation,
            Predicate<PlannedStep> setsUp) {
        this.trial = trial;
        this.violation = violation;
        this.setsUp = setsUp;
    }

    /** The smallest plan that was found: fewer steps first, then shorter pauses. */
    List<PlannedStep> smallest(List<PlannedStep> plan) {
        List<PlannedStep> best = plan;
        for (int part = Math.max(1, plan.size() / 2); part >= 1; part = part == 1 ? 0 : part / 2) {
            best = withoutParts(best, part);
        }
        return withoutPauses(best.size() > FEW ? pair(best).orElse(withoutParts(best, 1)) : best);
    }

    /**
     * One fault and one step behind it, if such a pair breaks the rule. Which request a fault hits depends on all that
     * comes before, so that a plan may be hard to make smaller step by step.
     */
    private Optional<List<PlannedStep>> pair(List<PlannedStep> plan) {
        attempts = 0;
        for (PlannedStep fault : distinct(plan, true)) {
            for (PlannedStep step : distinct(plan, false)) {
                for (int number = 1; number <= REQUESTS_MAX; number++) {
                    List<PlannedStep> pair = new ArrayList<>(plan.stream()
                            .filter(setsUp)
                            .map(PlannedStep::atOnce)
                            .toList());
                    pair.add(fault.at(number, PAUSE_MILLIS));
                    pair.add(step.atOnce());
                    if (breaks(pair)) {
                        return Optional.of(pair);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private List<PlannedStep> distinct(List<PlannedStep> plan, boolean faults) {
        Set<String> known = new HashSet<>();
        return plan.stream()
                .filter(each -> !setsUp.test(each))
                .filter(each -> each.fault() == faults && known.add(each.what()))
                .toList();
    }

    private List<PlannedStep> withoutParts(List<PlannedStep> plan, int part) {
        List<PlannedStep> best = plan;
        for (int from = 0; from < best.size(); ) {
            List<PlannedStep> smaller = new ArrayList<>(best);
            smaller.subList(from, Math.min(from + part, best.size())).removeIf(setsUp.negate());
            if (smaller.size() < best.size() && breaks(smaller)) {
                best = smaller;
            } else {
                from += part;
            }
        }
        return best;
    }

    private List<PlannedStep> withoutPauses(List<PlannedStep> plan) {
        List<PlannedStep> best = plan;
        for (int i = 0; i < best.size(); i++) {
            List<PlannedStep> quicker = new ArrayList<>(best);
            quicker.set(i, best.get(i).atOnce());
            if (!quicker.equals(best) && breaks(quicker)) {
                best = quicker;
            }
        }
        return best;
    }

    private boolean breaks(List<PlannedStep> plan) {
        // What was tried before has not broken it, or the plan would be smaller by now.
        if (attempts >= ATTEMPTS_MAX || !tried.add(List.copyOf(plan))) {
            return false;
        }
        attempts++;
        return trial.apply(plan).filter(violation::isLike).isPresent();
    }
}
