package dev.kopf4j.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Resident memory of a process, in MB; all -1 if the system does not know.
 *
 * @param anonymous what belongs to the process alone
 * @param file pages of files
 * @param peak the most that was resident so far
 */
public record ProcessMemory(double anonymous, double file, double peak) {
    static ProcessMemory of(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        if (!Files.isReadable(status)) {
            return new ProcessMemory(-1, -1, -1);
        }
        Map<String, Double> megabytes = new HashMap<>();
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:") || line.startsWith("Rss")) {
                    megabytes.put(
                            line.substring(0, line.indexOf(':')), Long.parseLong(line.replaceAll("\\D", "")) / 1024.0);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the memory of process " + pid + " cannot be read", e);
        }
        return new ProcessMemory(
                megabytes.getOrDefault("RssAnon", -1.0),
                megabytes.getOrDefault("RssFile", -1.0),
                megabytes.getOrDefault("VmHWM", -1.0));
    }

    /** Both kinds. */
    public double resident() {
        return anonymous + file;
    }
}
