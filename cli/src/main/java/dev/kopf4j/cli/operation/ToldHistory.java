package dev.kopf4j.cli.operation;

import dev.kopf4j.engine.recording.RecordedObject;
import dev.kopf4j.engine.recording.TimeLine;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.time.ZoneId;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Tells the lines of a record to people, or as they are to programs. Not thread-safe. */
public final class ToldHistory {
    private final RecordedObject object;
    private final boolean asJson;
    private final TimeLine timeLine;
    private final Consumer<String> out;
    private final Set<String> kinds = new TreeSet<>();
    private long position;

    /**
     * Nothing was told yet.
     *
     * @param object of what is told
     * @param asJson true for the lines as they are
     * @param zone in which times are shown
     * @param out where the lines go
     */
    public ToldHistory(RecordedObject object, boolean asJson, ZoneId zone, Consumer<String> out) {
        this.object = object;
        this.asJson = asJson;
        this.timeLine = new TimeLine(null, zone, object);
        this.out = out;
    }

    /**
     * Tells those of the lines that concern the object; answers how many these are, besides those that say that lines
     * are missing. A line that is cut is left out.
     */
    public long tell(Stream<String> lines) {
        return lines.filter(this::told).count();
    }

    private boolean told(String text) {
        JsonNode line;
        try {
            line = Json.parse(text);
        } catch (JsonConversionException e) {
            return false; // the process was killed while it wrote it
        }
        if (line.path("step").asString("").equals("position")) {
            position = line.path("n").asLong(1) - 1;
            line.path("kinds").forEach(kind -> kinds.add(kind.asString("")));
            return false;
        }
        kinds.add(line.path("kind").asString(""));
        boolean concerned = object.isIn(line);
        if (concerned) {
            out.accept(asJson ? text : timeLine.words(line));
        }
        return concerned && !line.path("step").asString("").equals("lost");
    }

    /** The number of the last line that is known. */
    public long position() {
        return position;
    }

    /** That there was nothing to tell. */
    public String nothing() {
        kinds.remove("");
        return "Nothing is recorded of "
                + (object.equals(RecordedObject.ANY) ? "anything" : "that object")
                + ", not yet or not any more"
                + (kinds.isEmpty()
                        ? "."
                        : "; of these kinds there is: " + String.join(", ", kinds)
                                + " (short names are not known here).");
    }
}
