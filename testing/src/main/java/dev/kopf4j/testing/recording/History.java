package dev.kopf4j.testing.recording;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.recording.LineRing.Lines;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.engine.recording.TimeLine;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What has happened, line by line, each with the time since the beginning: a record as running operators have it, with
 * values, and with what the test and its cluster do in between. The newest lines are kept. Thread-safe.
 */
final class History {
    private static final int SHOWN_MAX = 100;

    private final Recorder recorder;
    private final TimeLine timeLine;

    History(Platform platform) {
        this.recorder = new Recorder(
                platform, new OperatorSettings().recorder().memory(4).values(true));
        this.timeLine = TimeLine.since(platform.now());
    }

    /** The operator has done something. Requests are noted when the cluster has answered, whoever sends them. */
    void add(OperatorStep step) {
        if (!(step instanceof OperatorStep.RequestEnded)) {
            recorder.happened(step);
        }
    }

    /** Somebody else has done something. */
    void note(String kind, String text) {
        recorder.note(kind, text);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Lines read = recorder.read(0); read.bytes().length > 0; read = recorder.read(read.end())) {
            new String(read.bytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .forEach(line -> lines.add(timeLine.words(Json.parse(line))));
        }
        return lines;
    }

    /** The end of it, for messages. */
    String shown() {
        List<String> lines = lines();
        int from = Math.max(0, lines.size() - SHOWN_MAX);
        String before = from == 0 ? "" : "  (" + from + " lines before)\n";
        return before + String.join("\n", lines.subList(from, lines.size()));
    }
}
