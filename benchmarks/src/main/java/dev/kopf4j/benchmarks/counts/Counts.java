package dev.kopf4j.benchmarks.counts;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was counted. Immutable.
 *
 * @param values not of all that is counted, necessarily
 */
public record Counts(Map<CountLimit, Double> values) {
    /** One of them. */
    public double of(CountLimit row) {
        Double value = values.get(row);
        if (value == null) {
            throw new IllegalStateException("not counted: " + row);
        }
        return value;
    }

    /** Both together. */
    Counts and(Counts others) {
        Map<CountLimit, Double> all = new EnumMap<>(CountLimit.class);
        all.putAll(values);
        all.putAll(others.values);
        return new Counts(all);
    }

    /** In one line, for {@link #parse}. */
    String toLine() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
    }

    static Counts parse(String line) {
        Map<CountLimit, Double> values = new EnumMap<>(CountLimit.class);
        for (String word : List.of(line.split(" ", -1))) {
            int sign = word.indexOf('=');
            values.put(CountLimit.valueOf(word.substring(0, sign)), Double.valueOf(word.substring(sign + 1)));
        }
        return new Counts(values);
    }
}
