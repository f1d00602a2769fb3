package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets up the logs of the program: all of them go to stderr. Call it once, before the first log line. */
public final class LogConfiguration {
    /** The libraries, and what would drown everything else: each request. */
    private static final List<String> DETAILED =
            List.of("io.fabric8", "io.netty", "io.vertx", "jdk", "com.sun", "sun", "kopf4j.client.requests");

    private LogConfiguration() {}

    /** Applies the settings to all loggers of this JVM. */
    public static void configure(LogSettings settings, LogStream stream) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            configure(context, settings, stream);
        }
    }

    static void configure(LoggerContext context, LogSettings settings, LogStream stream) {
        context.reset();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.convertAnSLF4JLevel(settings.verbosity().own()));
        root.addAppender(written(context, layout(settings), stream));
        var level = Level.convertAnSLF4JLevel(settings.verbosity().libraries());
        DETAILED.forEach(name -> context.getLogger(name).setLevel(level));
        settings.levels().forEach((name, chosen) -> context.getLogger(name).setLevel(Level.toLevel(chosen.name())));
    }

    private static Layout<ILoggingEvent> layout(LogSettings settings) {
        return switch (settings.format()) {
            case PLAIN -> new TextLayout(settings.prefix(), false, settings.colors());
            case FULL -> new TextLayout(settings.prefix(), true, settings.colors());
            case JSON -> new JsonLayout(settings.prefix(), settings.objectKey());
        };
    }

    private static OutputStreamAppender<ILoggingEvent> written(
            LoggerContext context, Layout<ILoggingEvent> layout, LogStream stream) {
        layout.setContext(context);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        var appender = new OutputStreamAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(stream);
        appender.start();
        return appender;
    }
}
