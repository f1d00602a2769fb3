package dev.kopf4j.testing.recording;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was logged and printed, in order. Lines stay whole: a print of a line is several writes, between which others
 * log and print. Guarded by its owner.
 */
final class RecordedText {
    private final StringBuilder lines = new StringBuilder();
    private final Map<Thread, StringBuilder> unfinished = new LinkedHashMap<>();

    void log(LogLine line) {
        lines.append(line).append('\n');
    }

    /** The running thread has printed a part of a line, or several lines. */
    void print(String text) {
        StringBuilder own = unfinished.computeIfAbsent(Thread.currentThread(), thread -> new StringBuilder());
        own.append(text);
        int end = own.lastIndexOf("\n") + 1;
        lines.append(own, 0, end);
        own.delete(0, end);
        if (own.isEmpty()) {
            unfinished.remove(Thread.currentThread());
        }
    }

    /** All of it; lines that are not finished come last. */
    String text() {
        return lines + String.join("", unfinished.values());
    }
}
