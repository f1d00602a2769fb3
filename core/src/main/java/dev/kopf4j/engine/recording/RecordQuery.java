package dev.kopf4j.engine.recording;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What somebody asks a recorder over HTTP: {@code history=KIND/NAME} or {@code history=} for all, with
 * {@code &namespace=NAMESPACE}, {@code &after=NUMBER} for what has come since a line, and {@code &wait=SECONDS} to be
 * answered when there is something. Immutable.
 *
 * @param object whom the lines concern
 * @param after the number of the last line that is known; 0 for none
 * @param patience how long to wait for a line
 */
public record RecordQuery(RecordedObject object, long after, Duration patience) {
    /** The type of the answer, by which whoever asks knows that it is a record. */
    public static final String TYPE = "application/jsonl";

    private static final String HISTORY = "history=";
    private static final long WAIT_MAX = 60;

    /** True if a query is one of these. */
    public static boolean isOne(String query) {
        return query.startsWith(HISTORY);
    }

    /** Reads a query; numbers that make no sense are left out. */
    public static RecordQuery of(String query) {
        String object = "";
        String namespace = "";
        long after = 0;
        long wait = 0;
        for (String part : query.split("&", -1)) {
            int end = part.indexOf('=');
            String value = part.substring(end + 1);
            switch (end < 0 ? "" : part.substring(0, end)) {
                case "history" -> object = value;
                case "namespace" -> namespace = value;
                case "after" -> after = number(value);
                case "wait" -> wait = Math.min(number(value), WAIT_MAX);
                default -> {}
            }
        }
        return new RecordQuery(RecordedObject.of(object, namespace), after, Duration.ofSeconds(wait));
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /**
     * The lines, the first of which may say how many before them are gone, and a last one of the step {@code position},
     * which says where to go on and which kinds of objects there were.
     */
    public String answer(Recorder recorder, Platform platform) throws InterruptedException {
        Deadline deadline = platform.after(patience);
        StringBuilder found = new StringBuilder();
        Set<String> kinds = new TreeSet<>();
        long next = after >= recorder.next() ? 1 : after + 1; // another run of the operator counts anew
        while (true) {
            LineRing.Lines lines = recorder.read(next);
            if (lines.first() > next) {
                found.append(recorder.lost(next, lines.first() - next));
            }
            next = lines.end();
            if (lines.bytes().length > 0) {
                String text = new String(lines.bytes(), StandardCharsets.US_ASCII);
                text.lines().forEach(line -> add(line, found, kinds));
            } else if (!found.isEmpty() || !recorder.await(next, deadline)) {
                return found + recorder.position(next, kinds);
            }
        }
    }

    private void add(String text, StringBuilder found, Set<String> kinds) {
        try {
            JsonNode line = Json.parse(text);
            kinds.add(line.path("kind").asString(""));
            if (object.isIn(line)) {
                found.append(text).append('\n');
            }
        } catch (JsonConversionException e) {
            throw new IllegalStateException("a recorded line is not JSON: " + text, e);
        }
    }
}
