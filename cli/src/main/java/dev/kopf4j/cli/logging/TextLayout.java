package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Lines for people: the message, in the full format after the time, the logger and the level. Thread-safe. */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final String PLAIN = "\u001b[0m";

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
        if (prefix) {
            line.append(LoggedObject.prefix(event));
        }
        line.append(event.getFormattedMessage());
        line.append(color.isEmpty() ? "" : PLAIN).append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.toString();
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
