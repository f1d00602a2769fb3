package dev.kopf4j.engine.conversion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ways from one version of a definition to another. The shortest one is taken. Of several that are as short as each
 * other it is the one whose first step was declared first; if they share that, the second step decides, and so on.
 * Immutable.
 */
public final class ConversionPaths {
    private final Map<String, List<Step>> steps;

    private ConversionPaths(Map<String, List<Step>> steps) {
        this.steps = steps;
    }

    /** The ways that the functions of one definition make, in the order of their declaration. */
    public static ConversionPaths of(List<ConversionFunction> functions) {
        Map<List<String>, List<ConversionFunction>> pairs = new LinkedHashMap<>();
        for (ConversionFunction each : functions) {
            pairs.computeIfAbsent(List.of(each.from(), each.to()), pair -> new ArrayList<>())
                    .add(each);
        }
        Map<String, List<Step>> steps = new LinkedHashMap<>();
        pairs.forEach((pair, parts) -> steps.computeIfAbsent(pair.getFirst(), from -> new ArrayList<>())
                .add(new Step(pair.getFirst(), pair.getLast(), List.copyOf(parts))));
        return new ConversionPaths(Collections.unmodifiableMap(steps));
    }

    /** The steps from one version to another; none if they are the same. Empty if there is no way. */
    Optional<List<Step>> find(String from, String to) {
        Map<String, List<Step>> reached = new HashMap<>();
        reached.put(from, List.of());
        Deque<String> next = new ArrayDeque<>(List.of(from));
        while (!next.isEmpty() && !reached.containsKey(to)) {
            String here = next.remove();
            for (Step step : steps.getOrDefault(here, List.of())) {
                if (!reached.containsKey(step.to())) {
                    List<Step> way = new ArrayList<>(reached.getOrDefault(here, List.of()));
                    way.add(step);
                    reached.put(step.to(), List.copyOf(way));
                    next.add(step.to());
                }
            }
        }
        return Optional.ofNullable(reached.get(to));
    }

    /** True if objects can be converted so. */
    public boolean leads(String from, String to) {
        return find(from, to).isPresent();
    }

    /** The versions that functions name, in the order of their declaration. */
    public Set<String> versions() {
        Set<String> versions = new LinkedHashSet<>();
        steps.values()
                .forEach(all -> all.forEach(step -> {
                    versions.add(step.from());
                    versions.add(step.to());
                }));
        return versions;
    }

    /** For messages: {@code v1 -> v2, v2 -> v1}. */
    @Override
    public String toString() {
        return String.join(
                ", ",
                steps.values().stream()
                        .flatMap(List::stream)
                        .map(Step::toString)
                        .toList());
    }

    /**
     * One step from a version to another, without any between. Immutable.
     *
     * @param from the version that objects come in
     * @param to the version that they become
     * @param functions those of the step, one for each part
     */
    record Step(String from, String to, List<ConversionFunction> functions) {
        /** For messages: {@code v1 -> v2}. */
        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }
}
