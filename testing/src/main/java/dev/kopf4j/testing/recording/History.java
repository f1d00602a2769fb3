package dev.kopf4j.testing.recording;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What has happened, line by line, each with the time since the beginning. Guarded by its owner. */
final class History {
    private static final int LINES_MAX = 20_000;
    private static final int SHOWN_MAX = 60;

    private final Instant begin;
    private final List<String> lines = new ArrayList<>();
    private int left;

    History(Instant begin) {
        this.begin = begin;
    }

    void add(Instant at, String line) {
        if (lines.size() >= LINES_MAX) {
            left++;
            return;
        }
        Duration since = Duration.between(begin, at);
        lines.add(String.format(Locale.ROOT, "%6d.%03d s  %s", since.toSeconds(), since.toMillisPart(), line));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** The end of it, for messages. */
    String shown() {
        int from = Math.max(0, lines.size() - SHOWN_MAX);
        String before = from == 0 ? "" : "  (" + from + " lines before)\n";
        String after = left == 0 ? "" : "\n  (" + left + " further lines were not kept)";
        return before + String.join("\n", lines.subList(from, lines.size())) + after;
    }
}
