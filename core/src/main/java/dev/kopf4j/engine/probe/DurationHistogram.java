package dev.kopf4j.engine.probe;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** How long something has taken, counted in steps. Thread-safe. */
final class DurationHistogram {
    /** The upper ends of the steps in seconds. */
    private static final double[] STEPS = {0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120};

    private final LongAdder[] counts = new LongAdder[STEPS.length + 1];
    private final LongAdder nanos = new LongAdder();

    DurationHistogram() {
        for (int step = 0; step < counts.length; step++) {
            counts[step] = new LongAdder();
        }
    }

    void add(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        int step = 0;
        while (step < STEPS.length && seconds > STEPS[step]) {
            step++;
        }
        counts[step].increment();
        nanos.add(duration.toNanos());
    }

    /** Writes it as a histogram: each step counts what is below it. */
    void write(String name, String labels, StringBuilder out) {
        String separator = labels.isEmpty() ? "" : ",";
        long sum = 0;
        for (int step = 0; step < counts.length; step++) {
            sum += counts[step].sum();
            String end = step < STEPS.length ? String.valueOf(STEPS[step]) : "+Inf";
            out.append(name)
                    .append("_bucket{")
                    .append(labels)
                    .append(separator)
                    .append("le=\"")
                    .append(end)
                    .append("\"} ")
                    .append(sum)
                    .append('\n');
        }
        String braces = labels.isEmpty() ? "" : "{" + labels + "}";
        out.append(name)
                .append("_sum")
                .append(braces)
                .append(' ')
                .append(nanos.sum() / 1e9)
                .append('\n');
        out.append(name).append("_count").append(braces).append(' ').append(sum).append('\n');
    }
}
