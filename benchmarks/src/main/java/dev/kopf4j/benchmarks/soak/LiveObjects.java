package dev.kopf4j.benchmarks.soak;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The objects of this JVM that are reachable, by its class histogram.
 *
 * @param bytes of all of them
 * @param ours how many are of classes of the framework
 * @param scheduled how many entries all schedules have
 */
record LiveObjects(long bytes, long ours, long scheduled) {
    private static final String SCHEDULED = "dev.kopf4j.runtime.ActionSchedule$ScheduledAction";

    /** Collects what is not reachable first. */
    static LiveObjects here() {
        try {
            Object histogram = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return of(String.valueOf(histogram));
        } catch (JMException e) {
            throw new IllegalStateException("this JVM has no class histogram", e);
        }
    }

    /** Its lines have a number, instances, bytes, and the class; the last one has the sums of instances and bytes. */
    static LiveObjects of(String histogram) {
        long bytes = 0;
        long ours = 0;
        long scheduled = 0;
        for (String line : histogram.split("\n", -1)) {
            String[] words = line.trim().split("\\s+", -1);
            if (words.length == 3 && words[0].equals("Total")) {
                bytes = Long.parseLong(words[2]);
            } else if (words.length >= 4 && words[3].startsWith("dev.kopf4j.") && !isBenchmark(words[3])) {
                long instances = Long.parseLong(words[1]);
                ours += instances;
                scheduled += words[3].equals(SCHEDULED) ? instances : 0;
            }
        }
        return new LiveObjects(bytes, ours, scheduled);
    }

    /** The dev cluster keeps what it serves. */
    private static boolean isBenchmark(String name) {
        return name.startsWith("dev.kopf4j.devcluster.") || name.startsWith("dev.kopf4j.benchmarks.");
    }
}
