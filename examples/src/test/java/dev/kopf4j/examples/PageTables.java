package dev.kopf4j.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tables of a Markdown page, and the code spans in them. Pure. */
final class PageTables {
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");

    /**
     * A cell of a table.
     *
     * @param section the heading before it
     * @param column the head of its column
     * @param names its code spans
     */
    record Cell(String section, String column, List<String> names) {}

    private PageTables() {}

    /** All cells of a page, row by row. */
    static List<Cell> cells(String page) {
        List<Cell> cells = new ArrayList<>();
        String section = "";
        List<String> head = List.of();
        for (String line : page.lines().toList()) {
            if (line.startsWith("#")) {
                section = line.replaceFirst("#+ ", "");
            }
            if (!line.startsWith("|")) {
                head = List.of();
            } else if (head.isEmpty()) {
                head = texts(line);
            } else {
                cells.addAll(row(section, head, texts(line)));
            }
        }
        return cells;
    }

    private static List<Cell> row(String section, List<String> head, List<String> texts) {
        if (head.size() != texts.size()) {
            throw new IllegalArgumentException("a table in '" + section + "' has " + head.size()
                    + " columns, but a row with " + texts.size() + ": " + texts);
        }
        List<Cell> row = new ArrayList<>();
        for (int column = 0; column < head.size(); column++) {
            row.add(new Cell(section, head.get(column), spans(texts.get(column))));
        }
        return row;
    }

    private static List<String> texts(String line) {
        return Stream.of(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    /** The code spans of a text, in their order; blocks of code are left out. */
    static List<String> spans(String text) {
        return SPAN.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(span -> span.group(1))
                .toList();
    }
}
