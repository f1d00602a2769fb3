package dev.kopf4j.benchmarks.process;

import dev.kopf4j.OperatorHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The main loop of a measured process: it answers each line of its input with a line, and ends with its input, so that
 * none outlives the program that measures.
 */
public final class ChildMain {
    /** The prefix of this program's lines, because the JVM writes to the same stream. */
    static final String MARK = "> ";

    /** Within this, an operator is ready, or never. */
    private static final Duration READY_WITHIN = Duration.ofMinutes(9);

    private ChildMain() {}

    /** Waits until an operator is ready. */
    public static void awaitReady(OperatorHandle handle) throws InterruptedException {
        if (!handle.awaitReady(READY_WITHIN)) {
            throw new IllegalStateException(
                    "the operator was not ready within " + READY_WITHIN.toMinutes() + " minutes");
        }
    }

    /** Answers a line with a line. */
    @FunctionalInterface
    public interface Answers {
        String to(String question) throws InterruptedException;
    }

    /** Prints the first line, then answers until the input ends. */
    public static void serve(String first, Answers answers) throws IOException, InterruptedException {
        System.out.println(MARK + first);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(MARK
                    + switch (line) {
                        case ChildProcess.CPU -> cpuMillis();
                        case ChildProcess.ALLOCATED -> allocated();
                        case ChildProcess.THREADS -> ThreadCount.here().toLine();
                        default -> answers.to(line);
                    });
        }
    }

    private static String allocated() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                ? Long.toString(threads.getTotalThreadAllocatedBytes())
                : "0";
    }

    private static String cpuMillis() {
        Duration used = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return Long.toString(used.toMillis());
    }
}
