package dev.kopf4j.engine.chaos;

import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What has happened in a world, line by line, and which rules were broken. */
final class WorldHistory {
    private final Platform platform;
    private final long start;
    private final List<String> lines = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    WorldHistory(Platform platform) {
        this.platform = platform;
        this.start = platform.nanos();
    }

    void note(String line) {
        Duration since = Duration.ofNanos(platform.nanos() - start);
        lines.add(String.format(Locale.ROOT, "%4d.%06d %s", since.toSeconds(), since.toNanosPart() / 1000, line));
    }

    /** Something that must not happen has happened. */
    void violated(String rule, String how) {
        note("VIOLATION of '" + rule + "': " + how);
        violations.add(rule + ": " + how);
    }

    List<String> violations() {
        return violations;
    }

    List<String> lines() {
        return lines;
    }
}
