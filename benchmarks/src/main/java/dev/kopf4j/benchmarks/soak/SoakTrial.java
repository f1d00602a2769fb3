package dev.kopf4j.benchmarks.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A soak that judges itself. */
public final class SoakTrial {
    private SoakTrial() {}

    /** In simulated time. Returns false if something has grown. */
    public static boolean simulated(long events) throws IOException {
        return judged(SimulatedSoak.run(events));
    }

    /**
     * In real time. Returns false if something has grown.
     *
     * @param options of the operator's JVM
     */
    public static boolean real(Duration duration, List<String> options) throws IOException, InterruptedException {
        return judged(RealSoak.run(duration, options));
    }

    private static boolean judged(SoakJudgement judgement) {
        judgement.print();
        List<String> grown = judgement.grown();
        grown.forEach(System.err::println);
        return grown.isEmpty();
    }
}
