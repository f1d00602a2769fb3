package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which lines the tests of all modules execute. Immutable. */
record RecordedLines(List<RecordedTest> tests) {
    /** Fewer lines than these say little: then lines count, too, that are executed by some other tests. */
    private static final int LINES_MIN = 10;

    private static final List<Double> SHARES = List.of(1.0, 0.5, 0.25);

    /** Reads what {@link RecordingRun} has written. */
    static RecordedLines read(Collection<AuditedModule> modules) throws IOException {
        List<RecordedTest> tests = new ArrayList<>();
        for (AuditedModule module : modules) {
            tests.addAll(RecordedLinesFile.read(module));
        }
        return new RecordedLines(tests);
    }

    /** The tests that show the row. */
    List<RecordedTest> of(String row) {
        return tests.stream().filter(test -> test.rows().contains(row)).toList();
    }

    /** The rows that have tests. */
    NavigableSet<String> rows() {
        return tests.stream().flatMap(test -> test.rows().stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The lines that stand for the row: those that its tests alone execute. If these are few, those, too, that others
     * execute, as long as these are not the great majority.
     */
    NavigableSet<CodeLine> linesOf(String row) {
        Map<CodeLine, Integer> all = count(tests);
        Map<CodeLine, Integer> own = count(of(row));
        NavigableSet<CodeLine> found = new TreeSet<>();
        for (double share : SHARES) {
            if (found.size() < LINES_MIN) {
                own.entrySet().stream()
                        .filter(line -> line.getValue() >= share * all.getOrDefault(line.getKey(), 0))
                        .map(Map.Entry::getKey)
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static Map<CodeLine, Integer> count(List<RecordedTest> tests) {
        Map<CodeLine, Integer> counts = new HashMap<>();
        tests.forEach(test -> test.lines().forEach(line -> counts.merge(line, 1, Integer::sum)));
        return counts;
    }
}
