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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What has happened, line by line, each with the time since the beginning: a record as running operators have it, with
 * values, and with what the test and its cluster do in between. The newest lines are kept. Thread-safe.
 */
final class History {
    private static final int SHOWN_MAX = 100;
    private static final Pattern WARNING = Pattern.compile(" log +(?:WARN|ERROR) .*?\\b(K4-\\d+)");

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

    /** The end of it, for messages; of what was before, each numbered warning that has come once or more often. */
    String shown() {
        List<String> lines = lines();
        int from = Math.max(0, lines.size() - SHOWN_MAX);
        Map<String, String> warnings = new LinkedHashMap<>();
        for (String line : lines.subList(0, from)) {
            Matcher warning = WARNING.matcher(line);
            if (warning.find()) {
                warnings.put(warning.group(1), line + "\n");
            }
        }
        String before = from == 0
                ? ""
                : "  (" + from + " lines before" + (warnings.isEmpty() ? "" : ", among them:") + ")\n"
                        + String.join("", warnings.values())
                        + (warnings.isEmpty() ? "" : "  (the last ones:)\n");
        return before + String.join("\n", lines.subList(from, lines.size()));
    }
}
