package dev.kopf4j.engine.console;

import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.recording.LineRing;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the operator records, as server-sent events. Each answer has what there is, or waits for a while if there is
 * nothing new; then it ends, and the browser asks again from the last line that it has seen. So nobody who does not
 * read is sent anything, and each answer is bounded. If too many wait, the one that has waited longest is answered:
 * somebody who is gone cannot be told from somebody who waits. Thread-safe.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">server-sent events</a>
 */
final class RecordedEvents {
    /** Shorter than the patience of the page: with many tabs, the browser has its other requests wait for these. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How often somebody who waits looks whether he is to make room. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final int LINES_MAX = 500;
    private static final int READERS_MAX = 12;
    private static final Pattern NUMBER = Pattern.compile("\\{\"n\":(\\d+),.*");

    private final Platform platform;
    private final Recorder recorder;
    private final Monitor monitor;
    /** The one that has waited longest comes first. Guarded by the monitor. */
    private final Deque<Reader> readers = new ArrayDeque<>();

    RecordedEvents(Platform platform, Recorder recorder) {
        this.platform = platform;
        this.recorder = recorder;
        this.monitor = platform.monitor();
    }

    /** Somebody who waits for events. */
    private static final class Reader {
        /** True if another one has got his place. */
        private volatile boolean dismissed;
    }

    /**
     * The newest lines of an object, or of all that the operator does.
     *
     * @param query {@code uid} of the object, nothing for all; {@code after}, the number of a line that is known
     */
    HttpReply answer(ConsoleQuery query) throws InterruptedException {
        if (!recorder.isOn()) {
            return new HttpReply(204, "text/plain", new byte[0], Map.of(), false); // the browser does not ask again
        }
        Reader reader = new Reader();
        monitor.locked(() -> enter(reader));
        try {
            return ConsoleServer.text("text/event-stream", events(query.text("uid"), query.number("after"), reader));
        } finally {
            monitor.locked(() -> {
                readers.remove(reader);
            });
        }
    }

    private void enter(Reader reader) {
        if (readers.size() == READERS_MAX) {
            readers.removeFirst().dismissed = true;
        }
        readers.addLast(reader);
    }

    private String events(String uid, long after, Reader reader) throws InterruptedException {
        Deadline deadline = platform.after(PATIENCE);
        String mark = uid.isEmpty() ? "" : "id\":\"" + uid + '"'; // of uid and forUid
        String otherMark = uid.isEmpty() ? "" : "Uid\":\"" + uid + '"';
        Deque<String> found = new ArrayDeque<>();
        long next = after >= recorder.next() ? 0 : after + 1; // another run of the operator counts anew
        while (true) {
            LineRing.Lines lines = recorder.read(next);
            next = lines.end();
            boolean isAtEnd = lines.bytes().length == 0;
            if (!isAtEnd) {
                new String(lines.bytes(), StandardCharsets.US_ASCII)
                        .lines()
                        .filter(line -> line.contains(mark) || line.contains(otherMark))
                        .forEach(line -> add(line, found));
            }
            if (deadline.hasPassed(platform) || (isAtEnd && (!found.isEmpty() || reader.dismissed))) {
                return text(found, next);
            }
            if (isAtEnd) {
                boolean _ = recorder.await(next, platform.after(LOOK).orEarlier(deadline));
            }
        }
    }

    private static void add(String line, Deque<String> found) {
        if (found.size() == LINES_MAX) {
            found.removeFirst();
        }
        found.addLast(line);
    }

    private static String text(Deque<String> lines, long next) {
        StringBuilder text = new StringBuilder("retry: 300\n\n");
        for (String line : lines) {
            var number = NUMBER.matcher(line);
            if (number.matches()) {
                text.append("id: ").append(number.group(1)).append('\n');
            }
            text.append("data: ").append(line).append("\n\n");
        }
        return text.append("id: ")
                .append(next - 1)
                .append("\nevent: position\ndata: ")
                .append(next)
                .append("\n\n")
                .toString();
    }
}
