package dev.kopf4j.engine.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Collects what the loggers of objects log until it is closed. */
public final class ObjectLogCapture implements AutoCloseable {
    private final Logger logger;
    private final @Nullable Level levelBefore;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public ObjectLogCapture() {
        this("kopf4j.objects");
    }

    /** Of another part of the framework. */
    public ObjectLogCapture(String name) {
        this.logger = (Logger) LoggerFactory.getLogger(name);
        this.levelBefore = logger.getLevel();
        appender.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(appender);
    }

    /** From now on only lines of this level are logged, and of higher ones. */
    public void level(Level level) {
        logger.setLevel(level);
    }

    /** All that was logged, with what was attached to it. */
    public List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    /** The lines from this level on, as {@code info: text}. */
    public List<String> lines(Level level) {
        return events().stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(level))
                .map(event -> event.getLevel().toString().toLowerCase(Locale.ROOT) + ": " + event.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(levelBefore);
    }
}
