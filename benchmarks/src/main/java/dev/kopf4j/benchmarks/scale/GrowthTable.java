package dev.kopf4j.benchmarks.scale;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table of figures with a column for each number of objects. Used by one thread. */
public final class GrowthTable {
    private final String what;
    private final List<Integer> sizes = new ArrayList<>();
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    /**
     * An empty table.
     *
     * @param what is counted by the heads of the columns
     */
    public GrowthTable(String what) {
        this.what = what;
    }

    /** Begins the next column. */
    public void column(int size) {
        sizes.add(size);
    }

    /** Adds a figure to the last column. */
    public void add(String row, String figure) {
        rows.computeIfAbsent(row, key -> new ArrayList<>()).add(figure);
    }

    /** Prints it as markdown. */
    public void print() {
        StringBuilder text = new StringBuilder("| " + what + " |");
        sizes.forEach(size -> text.append(String.format(Locale.ROOT, " %,d |", size)));
        text.append("\n|---|").append("---|".repeat(sizes.size()));
        rows.forEach((row, figures) -> text.append("\n| ")
                .append(row)
                .append(" | ")
                .append(String.join(" | ", figures))
                .append(" |"));
        System.out.println(text + "\n");
    }
}
