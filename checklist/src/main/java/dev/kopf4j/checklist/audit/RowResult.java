package dev.kopf4j.checklist.audit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the tests of one row have noticed. Immutable.
 *
 * @param row the id of the row
 * @param tests how many tests show it
 * @param mutants how many changes were tried
 * @param survivors those that nobody has noticed
 */
record RowResult(String row, int tests, int mutants, List<Mutant> survivors) {
    private static final String HEAD = """
            | row | tests | mutants | killed | survived |
            |---|---|---|---|---|
            """;

    /** The head of the table. */
    static String head() {
        return HEAD;
    }

    int killed() {
        return mutants - survivors.size();
    }

    /** The line of the table. */
    String line() {
        String which = mutants == 0
                ? "no line is executed mainly by tests of this row"
                : survivors.stream().map(Mutant::describe).distinct().collect(Collectors.joining("<br>"));
        return "| " + row + " | " + tests + " | " + mutants + " | " + killed() + " | " + which + " |";
    }
}
