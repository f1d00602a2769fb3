package dev.kopf4j.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether figures stay flat: the median of the last quarter of the samples is compared with the median of the second
 * one. The first quarter does not count: the process warms up. Used by one thread.
 */
final class SoakJudgement {
    /** With fewer samples, a quarter is no more than chance. */
    private static final int SAMPLES_MIN = 12;

    private static final double GROWTH_MAX = 1.05;

    private final List<SoakSample> samples = new ArrayList<>();

    void add(SoakSample sample) {
        samples.add(sample);
    }

    /** What has grown, in words; empty if nothing has. */
    List<String> grown() {
        if (samples.size() < SAMPLES_MIN) {
            return List.of(
                    "only " + samples.size() + " samples were taken, and " + SAMPLES_MIN + " are needed to judge");
        }
        return names().stream()
                .filter(name -> late(name) > early(name) * GROWTH_MAX + slack(name))
                .map(name -> String.format(
                        Locale.ROOT,
                        "%s: %.1f in the second quarter, %.1f in the last one: what holds them? A class histogram of the process says",
                        name,
                        early(name),
                        late(name)))
                .toList();
    }

    /** What comes and goes by chance. */
    private static double slack(String name) {
        return switch (name) {
            case SoakSample.HEAP -> 0.3;
            case SoakSample.RESIDENT -> 8;
            case SoakSample.OBJECTS -> 200;
            case SoakSample.SCHEDULED -> 100; // cancelled ones stay until they are more than 64
            default -> 4;
        };
    }

    private List<String> names() {
        return List.copyOf(samples.getFirst().figures().keySet());
    }

    private double early(String name) {
        return median(name, samples.size() / 4, samples.size() / 2);
    }

    private double late(String name) {
        return median(name, 3 * samples.size() / 4, samples.size());
    }

    private double median(String name, int from, int to) {
        List<Double> sorted = samples.subList(from, to).stream()
                .map(sample -> sample.of(name))
                .sorted()
                .toList();
        return sorted.get(sorted.size() / 2);
    }

    /** Prints the quarters as markdown. */
    void print() {
        System.out.println("| | second quarter | last quarter |\n|---|---|---|");
        for (String name : names()) {
            System.out.printf(Locale.ROOT, "| %s | %.1f | %.1f |%n", name, early(name), late(name));
        }
    }
}
