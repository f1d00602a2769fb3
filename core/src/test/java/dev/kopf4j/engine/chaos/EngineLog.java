package dev.kopf4j.engine.chaos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Keeps the framework's log silent while a world lives, or writes all of it into the history of that world. Close it in
 * the end.
 */
final class EngineLog implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("kopf4j");
    private final Level before = logger.getLevel();

    EngineLog() {
        logger.setLevel(Level.OFF);
    }

    void into(WorldHistory worldHistory) {
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                worldHistory.note("    log: " + event.getLevel() + " " + event.getKeyValuePairs() + " "
                        + event.getFormattedMessage());
            }
        };
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.DEBUG);
    }

    @Override
    public void close() {
        logger.setLevel(before);
    }
}
