package dev.kopf4j.testing.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/** Draws the plan of a seed: steps of the test, and faults between them. Pure. */
final class PlanDraft {
    private static final List<Integer> PAUSES = List.of(1, 20, 200, 2000, 20_000);
    private static final int REQUESTS_MAX = 8;

    private final Random random;
    private final List<RequestFault> requestFaults;
    private final List<WorldFault> worldFaults;
    private final List<FakeHttp.Fault> serviceFaults;

    PlanDraft(long seed, Collection<FaultKind> kinds) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        random.nextLong();
        this.requestFaults = RequestFault.of(kinds);
        this.worldFaults = WorldFault.of(kinds);
        this.serviceFaults = FakeHttp.Fault.of(kinds);
    }

    /** So many steps of the test, with up to as many faults. A third of the plans has few faults or none. */
    List<PlannedStep> plan(List<String> first, List<String> names, int steps) {
        List<PlannedStep> plan = new ArrayList<>();
        int percent = List.of(0, 20, 60).get(random.nextInt(3));
        first.forEach(name -> {
            plan.add(step(name));
            addFault(plan, percent);
        });
        for (int i = 0; i < steps && !names.isEmpty(); i++) {
            plan.add(step(names.get(random.nextInt(names.size()))));
            addFault(plan, percent);
        }
        return plan;
    }

    private PlannedStep step(String name) {
        return new PlannedStep(pause(), name, false, 0, random.nextLong());
    }

    private void addFault(List<PlannedStep> plan, int percent) {
        List<String> choices = new ArrayList<>();
        requestFaults.forEach(each -> choices.add(each.words()));
        serviceFaults.forEach(each -> choices.add(each.words()));
        int counted = choices.size();
        worldFaults.forEach(each -> choices.add(each.words()));
        if (choices.isEmpty() || random.nextInt(100) >= percent) {
            return;
        }
        int choice = random.nextInt(choices.size());
        int number = 1 + random.nextInt(REQUESTS_MAX);
        PlannedStep fault = new PlannedStep(pause(), choices.get(choice), true, number, random.nextLong());
        // A fault of a request is laid before the step that it shall hit.
        plan.add(choice < counted ? plan.size() - 1 : plan.size(), fault);
    }

    private int pause() {
        return random.nextInt(PAUSES.get(random.nextInt(PAUSES.size())));
    }
}
