package dev.kopf4j.devcluster.faultinjection;

import java.io.ByteArrayOutputStream;
import java.util.random.RandomGenerator;

/** Repeats half of the events of a watch, at random. Used by the watch's reader only. */
final class EventDuplicator {
    private final RandomGenerator random;

    EventDuplicator(RandomGenerator random) {
        this.random = random;
    }

    /** Some of the lines twice, one right after the other. */
    byte[] repeatSome(byte[] lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(lines.length * 2);
        int start = 0;
        for (int at = 0; at < lines.length; at++) {
            if (lines[at] == '\n') {
                int times = random.nextBoolean() ? 2 : 1;
                for (int count = 0; count < times; count++) {
                    out.write(lines, start, at + 1 - start);
                }
                start = at + 1;
            }
        }
        return out.toByteArray();
    }
}
