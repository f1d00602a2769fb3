package dev.kopf4j.checklist.audit;

import java.util.List;

/**
 * A change, and the tests that have to notice it. Immutable.
 *
 * @param mutant the change
 * @param tests those tests of the row that execute its line, as selectors of methods
 */
record PlannedMutant(Mutant mutant, List<String> tests) {
    static PlannedMutant parse(String text) {
        List<String> parts = List.of(text.split("\t", -1));
        return new PlannedMutant(Mutant.parse(parts.getFirst()), parts.subList(1, parts.size()));
    }

    /** As it is read by {@link #parse}. */
    @Override
    public String toString() {
        return mutant + "\t" + String.join("\t", tests);
    }
}
