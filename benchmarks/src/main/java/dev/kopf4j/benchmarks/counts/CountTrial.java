package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.benchmarks.process.ChildProcess;
import java.io.IOException;
import java.util.Map;

/** Counts all that has a limit. */
public final class CountTrial {
    private CountTrial() {}

    /** All counts; some fifteen seconds. */
    public static Counts count() throws IOException, InterruptedException {
        try (ChildProcess process = ChildProcess.start(CountProcess.class, TransportCount.JVM_OPTIONS)) {
            process.line();
            return part(process, CountProcess.HANDLING)
                    .and(part(process, CountProcess.REST))
                    .and(part(process, CountProcess.PARENTS))
                    .and(TransportCount.count());
        }
    }

    private static Counts part(ChildProcess process, String part) {
        return Counts.parse(process.ask(part));
    }

    /** Prints the counts with their limits. Returns false if one is above its limit. */
    public static boolean report() throws IOException, InterruptedException {
        System.out.printf("| | counted | limit | why |%n|---|---|---|---|%n");
        boolean kept = true;
        for (Map.Entry<CountLimit, Double> each : count().values().entrySet()) {
            CountLimit row = each.getKey();
            System.out.printf(
                    "| %s | %s | %s | %s |%n",
                    row.title(), CountLimit.text(each.getValue()), CountLimit.text(row.limit()), row.reason());
            if (each.getValue() > row.limit()) {
                System.err.println(row.tooHigh(each.getValue()));
                kept = false;
            }
        }
        return kept;
    }
}
