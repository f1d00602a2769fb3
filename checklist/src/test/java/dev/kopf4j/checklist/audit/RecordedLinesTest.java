package dev.kopf4j.checklist.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which lines stand for a row. */
class RecordedLinesTest {
    private static Set<CodeLine> lines(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> new CodeLine("a.B", number))
                .collect(Collectors.toSet());
    }

    private static RecordedTest test(String row, int first, int last) {
        return new RecordedTest("core", row + first + "#test()", Set.of(row), lines(first, last));
    }

    @Test
    void theyAreThoseThatNoOtherTestExecutes() {
        var recorded = new RecordedLines(List.of(test("A01", 1, 30), test("B01", 11, 40)));
        assertThat(recorded.linesOf("A01")).containsExactlyInAnyOrderElementsOf(lines(1, 10));
        assertThat(recorded.linesOf("B01")).containsExactlyInAnyOrderElementsOf(lines(31, 40));
        assertThat(recorded.linesOf("C01")).isEmpty();
    }

    @Test
    void ifTheyAreFewThoseCountThatOthersExecuteToo() {
        List<RecordedTest> tests = new ArrayList<>(List.of(test("A01", 1, 4), test("B01", 3, 4)));
        assertThat(new RecordedLines(tests).linesOf("A01")).hasSize(4);
        tests.add(test("C01", 4, 4));
        assertThat(new RecordedLines(tests).linesOf("A01")).as("one of three").hasSize(4);
        tests.add(test("D01", 4, 4));
        tests.add(test("E01", 4, 4));
        assertThat(new RecordedLines(tests).linesOf("A01")).as("one of five").hasSize(3);
    }

    @Test
    void rowsAreThoseOfTheTests() {
        var recorded = new RecordedLines(List.of(test("B01", 1, 1), test("A01", 1, 1), test("B01", 2, 2)));
        assertThat(recorded.rows()).containsExactly("A01", "B01");
        assertThat(recorded.of("B01")).hasSize(2);
    }
}
