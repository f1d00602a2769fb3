package dev.kopf4j.benchmarks.process;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Threads of a process that are alive.
 *
 * @param platform those of the operating system, the JVM's carriers of virtual ones included
 * @param virtual virtual ones
 */
public record ThreadCount(int platform, int virtual) {
    /** Those of this process. */
    public static ThreadCount here() {
        try {
            Path folder = Files.createTempDirectory("kopf4j-benchmark");
            Path dump = folder.resolve("threads");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
                return ofDump(Files.readAllLines(dump));
            } finally {
                Files.deleteIfExists(dump);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the threads of this process cannot be counted", e);
        }
    }

    /** Each thread begins with a line of its number in the JVM and its name. */
    private static ThreadCount ofDump(List<String> lines) {
        List<String> heads =
                lines.stream().filter(line -> line.matches("#\\d+ \".*")).toList();
        int virtual =
                (int) heads.stream().filter(line -> line.contains("\" virtual")).count();
        return new ThreadCount(heads.size() - virtual, virtual);
    }

    /** The words of a line. */
    static ThreadCount parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return new ThreadCount(Integer.parseInt(words.get(0)), Integer.parseInt(words.get(1)));
    }

    String toLine() {
        return platform + " " + virtual;
    }
}
