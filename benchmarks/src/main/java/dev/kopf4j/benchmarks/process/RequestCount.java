package dev.kopf4j.benchmarks.process;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts the requests of a server by method and status, those to the measured objects alone. Thread-safe. */
public final class RequestCount {
    private final String path;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    RequestCount(String path) {
        this.path = path;
    }

    /** Takes a line of the server's log: method, target, status. */
    void add(String logLine) {
        String[] parts = logLine.split(" ", 3);
        if (parts[1].startsWith(path)) {
            counts.computeIfAbsent(parts[0] + ":" + parts[2], key -> new LongAdder())
                    .increment();
        }
    }

    /** All counts: {@code METHOD:STATUS=COUNT}, separated by spaces. */
    String toLine() {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue().sum())
                        .collect(Collectors.joining(" "));
    }

    /** The number of requests of a method in a line of counts, whatever the status. */
    public static long sum(String line, String method) {
        long sum = 0;
        for (String part : line.split(" ", -1)) {
            if (part.startsWith(method + ":")) {
                sum += Long.parseLong(part.substring(part.indexOf('=') + 1));
            }
        }
        return sum;
    }
}
