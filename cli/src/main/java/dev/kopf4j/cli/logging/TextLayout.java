package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.kopf4j.text.TerminalText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Lines for people: the message, in the full format after the time, the logger and the level. Messages tell what
 * objects and servers say: further lines of them are indented, and control characters escaped, so that none of them
 * looks like a message of its own, or commands the terminal. Thread-safe.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final String PLAIN = "\u001b[0m";
    private static final String INDENTATION = "    ";

    private final boolean prefix;
    private final boolean full;
    private final boolean colors;

    TextLayout(boolean prefix, boolean full, boolean colors) {
        this.prefix = prefix;
        this.full = full;
        this.colors = colors;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringBuilder();
        String color = colors ? color(event.getLevel()) : "";
        line.append(color);
        if (full) {
            line.append('[').append(TIME.format(event.getInstant())).append("] ");
            line.append("%-20s [%-8s] ".formatted(event.getLoggerName(), event.getLevel()));
        }
        String message = attached(event) + event.getFormattedMessage();
        line.append(TerminalText.lines(prefix ? LoggedObject.prefix(event) + message : message, INDENTATION));
        line.append(color.isEmpty() ? "" : PLAIN).append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            line.append(trace(ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
        return line.toString();
    }

    /** What somebody has attached, before the message, as SLF4J writes it where pairs have no place of their own. */
    private static String attached(ILoggingEvent event) {
        return LoggedObject.pairs(event).stream()
                .filter(pair -> !pair.key.equals(LoggedObject.KEY))
                .map(pair -> pair.key + "=" + pair.value + " ")
                .collect(Collectors.joining());
    }

    /** Of a stack trace, what is neither a frame nor the beginning of a cause is a further line of a message. */
    private static String trace(String text) {
        String lines = text.lines()
                .map(line -> line.startsWith("\t") || line.startsWith("Caused by: ") ? line : INDENTATION + line)
                .map(line -> TerminalText.lines(line, ""))
                .collect(Collectors.joining(System.lineSeparator()));
        return lines.substring(INDENTATION.length()) + System.lineSeparator();
    }

    private static String color(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> "\u001b[31m"; // red
            case Level.WARN_INT -> "\u001b[33m"; // yellow
            case Level.INFO_INT -> "";
            default -> "\u001b[2m"; // faint
        };
    }
}
