package dev.kopf4j.engine.recording;

import dev.kopf4j.text.TerminalText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes words of the lines of a record, one line of text for each, in the order in which they come. Immutable.
 *
 * @param begin times are shown as what has passed since then; null for times of day
 * @param zone in which times of day are shown
 * @param object of which the time line is; its name is left out
 */
public record TimeLine(@Nullable Instant begin, ZoneId zone, RecordedObject object) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    /** A time line of everything, with the time since the begin. */
    public static TimeLine since(Instant begin) {
        return new TimeLine(begin, ZoneOffset.UTC, RecordedObject.ANY);
    }

    /** The line in words. */
    public String words(JsonNode line) {
        String step = text(line, "step");
        return TerminalText.line(
                time(line) + "  " + String.format(Locale.ROOT, "%-9s", word(step)) + about(line) + said(step, line));
    }

    private String time(JsonNode line) {
        return time(text(line, "at"));
    }

    private String time(String text) {
        Instant at = Instant.parse(text);
        if (begin == null) {
            return TIME.format(at.atZone(zone));
        }
        Duration since = Duration.between(begin, at);
        return String.format(Locale.ROOT, "%6d.%03d s", since.toSeconds(), since.toMillisPart());
    }

    private static String word(String step) {
        int end = step.indexOf('-');
        return end < 0 ? step : step.substring(0, end);
    }

    /** Which object it is, unless the whole time line is of one. */
    private String about(JsonNode line) {
        String name = text(line, "object");
        boolean known = !object.name().isEmpty()
                && !line.has("forObject")
                && !text(line, "step").equals("request");
        return name.isEmpty() || known || text(line, "step").equals("request")
                ? ""
                : text(line, "kind") + " " + name + ": ";
    }

    private String said(String step, JsonNode line) {
        if (line.has("text")) {
            return text(line, "text"); // of somebody who is not the operator
        }
        return switch (step) {
            case "operator" -> text(line, "stage") + inBrackets(text(line, "detail"));
            case "pause" ->
                (line.path("holds").asBoolean(false) ? "does not act: " : "no longer: ")
                        + text(line, "reason")
                        + prefixed(" in ", text(line, "namespace"));
            case "shards" -> "acts on shards " + text(line, "numbers") + " of " + text(line, "count");
            case "login" ->
                line.has("failure") ? "failed: " + text(line, "failure") : text(line, "credentials") + " credentials";
            case "stream" ->
                text(line, "stream")
                        + prefixed(" in ", text(line, "namespace"))
                        + prefixed(" with ", text(line, "selector"))
                        + " " + text(line, "state")
                        + prefixed(": ", text(line, "trouble"));
            case "event" ->
                text(line, "type")
                        + prefixed(", version ", text(line, "version"))
                        + (line.path("waits").asBoolean(false) ? "" : ", nothing to do");
            case "woken" ->
                switch (text(line, "why")) {
                    case "children" -> "its children have changed";
                    case "daemons" -> "its daemons or timers have ended";
                    default -> "its time has come";
                };
            case "cycle" -> decided(line);
            case "cycle-failed" ->
                "failed: " + text(line, "failure") + "; is left alone for " + text(line, "delay") + " ms";
            case "cycle-ended" ->
                "ends" + prefixed(" after ", text(line, "took"), " ms")
                        + waited(line)
                        + (line.has("next") ? "; the next one is due at " + time(text(line, "next")) : "");
            case "unreadable" -> "cannot be read" + prefixed(": ", text(line, "reason"));
            case "handling" -> "is " + text(line, "state") + " by an annotation";
            case "children" -> "not ready: " + joined(line, "notReady");
            case "call" -> text(line, "handler") + " begins" + attempt(line) + inBrackets(occasion(line));
            case "call-ended" ->
                text(line, "handler") + " " + ended(line)
                        + prefixed(" after ", text(line, "took"), " ms")
                        + prefixed(": ", text(line, "failure"))
                        + prefixed(" with ", text(line, "result"));
            case "request" -> request(line);
            case "lost" -> text(line, "count") + " lines are missing here";
            default -> "";
        };
    }

    private static String decided(JsonNode line) {
        String reason = text(line, "reason");
        String changed = joined(line, "changed");
        String handlers = joined(line, "handlers");
        String what = switch (text(line, "decision")) {
            case "handle" -> handlers.isEmpty() ? "no handler is concerned" : "handlers " + handlers;
            case "nothing" -> "nothing to do";
            case "not concerned" -> "no handler is concerned";
            case "paused" -> "nothing, as it is paused";
            case "await newer" -> "waits for a newer state, which is known";
            case "await deleted" -> "waits for the event of its deletion";
            case "ask state" -> "asks for its state";
            case "write unsent" -> "writes first what could not be written before";
            case "change finalizer" -> "the finalizer is added or removed first";
            case "retry" -> "prepares the retry that was asked for";
            case "refuse" -> "not handled, as nothing can be stored on it";
            default -> text(line, "decision");
        };
        return reason
                + (changed.isEmpty() ? "" : " of " + changed)
                + (reason.isEmpty() ? "" : ": ")
                + what
                + prefixed("; ", text(line, "diff"));
    }

    private static String waited(JsonNode line) {
        return prefixed(", its event had waited for ", text(line, "waited"), " ms");
    }

    private static String attempt(JsonNode line) {
        int attempt = line.path("attempt").asInt(1);
        return attempt <= 1 ? "" : ", attempt " + attempt;
    }

    private static String occasion(JsonNode line) {
        String kind = text(line, "type");
        String reason = text(line, "reason");
        return kind.equals(reason) || reason.equals("noop") ? kind : kind + " handler for " + reason;
    }

    private static String ended(JsonNode line) {
        return switch (text(line, "outcome")) {
            case "succeeded" -> "succeeded";
            case "temporary" -> "asks for a retry";
            case "permanent" -> "failed for good";
            case "timeout" -> "was interrupted, as its time was over,";
            case "interrupted" -> "was interrupted, as the operator does not act any more,";
            default -> "failed";
        };
    }

    private static String request(JsonNode line) {
        String status = text(line, "status");
        return text(line, "verb") + " " + text(line, "path") + " "
                + (status.equals("0") ? "no answer" : status)
                + prefixed(" after ", text(line, "took"), " ms")
                + prefixed(": ", joined(line, "paths"))
                + prefixed("; ", text(line, "body"));
    }

    private static String text(JsonNode line, String key) {
        return line.path(key).asString("");
    }

    private static String joined(JsonNode line, String key) {
        return line.path(key).valueStream().map(each -> each.asString("")).collect(Collectors.joining(", "));
    }

    private static String prefixed(String before, String text) {
        return prefixed(before, text, "");
    }

    private static String prefixed(String before, String text, String after) {
        return text.isEmpty() ? "" : before + text + after;
    }

    private static String inBrackets(String text) {
        return prefixed(" (", text, ")");
    }
}
