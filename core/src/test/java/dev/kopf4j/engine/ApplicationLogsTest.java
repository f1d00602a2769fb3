package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.kopf4j.engine.simulation.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an application logs, and where to, is its own business. */
class ApplicationLogsTest {
    private static List<String> setUp() {
        List<String> loggers = new ArrayList<>();
        for (Logger logger : ((LoggerContext) LoggerFactory.getILoggerFactory()).getLoggerList()) {
            List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
            logger.iteratorForAppenders().forEachRemaining(appenders::add);
            if (logger.getLevel() != null || !appenders.isEmpty() || !logger.isAdditive()) {
                loggers.add(logger.getName() + " " + logger.getLevel() + " " + appenders + " " + logger.isAdditive());
            }
        }
        return loggers;
    }

    @Test
    @Tag("K10")
    void anOperatorWithinItLeavesTheLogsAsTheyAre() {
        try (Scenario story = new Scenario()) {
            List<String> before = setUp();
            story.start(builder -> builder.onCreate("kex", "create", context -> "done"));
            story.server.create(Scenario.example("x"));
            story.rest();
            assertThat(setUp()).isEqualTo(before);
            story.stop();
            assertThat(setUp()).isEqualTo(before);
        }
    }
}
