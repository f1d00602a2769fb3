package dev.kopf4j.devcluster.controller.job;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The indexes of an indexed job as its status has them ({@code 0,2-5}), see
 * {@code pkg/controller/job/indexed_job_utils.go}, v1.33. Kept as ranges, as a status may name millions of them. Not
 * safe for several threads.
 */
final class IndexRanges {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /** The last index of each range by its first; they neither overlap nor touch. */
    private final TreeMap<Integer, Integer> ranges = new TreeMap<>();

    /** Reads a text; what is no range, or not below the number of completions, is left out. */
    static IndexRanges parse(String text, long completions) {
        IndexRanges result = new IndexRanges();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (range.matches()) {
                int first = Integer.parseInt(range.group(1));
                int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                result.add(first, (int) Math.min(last, completions - 1));
            }
        }
        return result;
    }

    void add(int index) {
        add(index, index);
    }

    private void add(int first, int last) {
        if (first > last) {
            return;
        }
        int from = first;
        int to = last;
        Map.Entry<Integer, Integer> before = ranges.floorEntry(first);
        if (before != null && before.getValue() >= first - 1) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        for (Map.Entry<Integer, Integer> next = ranges.ceilingEntry(from);
                next != null && next.getKey() <= to + 1;
                next = ranges.ceilingEntry(from)) {
            to = Math.max(to, next.getValue());
            ranges.remove(next.getKey());
        }
        ranges.put(from, to);
    }

    void addAll(IndexRanges others) {
        others.ranges.forEach(this::add);
    }

    boolean contains(int index) {
        Map.Entry<Integer, Integer> range = ranges.floorEntry(index);
        return range != null && range.getValue() >= index;
    }

    /** The first index that is not in here, and not below another. */
    int firstMissing(int from) {
        Map.Entry<Integer, Integer> range = ranges.floorEntry(from);
        return range != null && range.getValue() >= from ? range.getValue() + 1 : from;
    }

    long size() {
        return ranges.entrySet().stream()
                .mapToLong(range -> range.getValue() - range.getKey() + 1L)
                .sum();
    }

    /** How many indexes are in both. */
    long common(IndexRanges others) {
        long count = 0;
        for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
            for (Map.Entry<Integer, Integer> other : others.ranges.entrySet()) {
                count += Math.max(
                        0,
                        Math.min(range.getValue(), other.getValue()) - Math.max(range.getKey(), other.getKey()) + 1L);
            }
        }
        return count;
    }

    /** As the status has it: two neighbours are told apart, three and more are a range. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        ranges.forEach((first, last) ->
                text.add(first.equals(last) ? "" + first : first + (last == first + 1 ? "," : "-") + last));
        return text.toString();
    }
}
