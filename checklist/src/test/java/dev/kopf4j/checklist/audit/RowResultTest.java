package dev.kopf4j.checklist.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowResultTest {
    private static final Mutant SURVIVOR =
            new Mutant(new CodeLine("a.b.Type$Inner", 12), 3, 45, MutationOperator.NEGATED_CONDITION);

    @Test
    void aRowIsALineOfTheTable() {
        assertThat(RowResult.head() + new RowResult("D21", 4, 19, List.of(SURVIVOR, SURVIVOR)).line())
                .endsWith("| D21 | 4 | 19 | 17 | Type$Inner:12 negated condition |");
        assertThat(new RowResult("A01", 1, 0, List.of()).line())
                .isEqualTo("| A01 | 1 | 0 | 0 | no line is executed mainly by tests of this row |");
    }
}
