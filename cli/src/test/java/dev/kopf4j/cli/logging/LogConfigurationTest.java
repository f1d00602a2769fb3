package dev.kopf4j.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.kopf4j.runtime.SystemPlatform;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogConfigurationTest {
    private static final LogStream STREAM = new LogStream(new SystemPlatform());

    private final LoggerContext context = new LoggerContext();

    private Level level(String logger) {
        return context.getLogger(logger).getEffectiveLevel();
    }

    @ParameterizedTest
    @CsvSource({"QUIET, WARN, WARN", "NORMAL, INFO, WARN", "VERBOSE, DEBUG, INFO", "DEBUG, DEBUG, DEBUG"})
    @Tag("I11")
    void librariesAreLessVerboseThanTheOperator(Verbosity verbosity, String own, String libraries) {
        LogConfiguration.configure(
                context, new LogSettings(verbosity, LogFormat.PLAIN, true, false, "object", Map.of()), STREAM);

        assertThat(level("kopf4j.objects")).hasToString(own);
        assertThat(level("dev.example.MyOperator")).hasToString(own);
        assertThat(level("io.fabric8.kubernetes.client")).hasToString(libraries);
        assertThat(level("kopf4j.client")).hasToString(own);
        assertThat(level("kopf4j.client.requests")).hasToString(libraries);
    }

    @Test
    @Tag("I11")
    void levelsOfSingleLoggersWin() {
        Map<String, LogLevel> levels = Map.of(
                "kopf4j.objects", LogLevel.OFF,
                "io.fabric8", LogLevel.TRACE,
                "kopf4j.client.requests", LogLevel.DEBUG,
                "ROOT", LogLevel.ERROR);
        LogConfiguration.configure(
                context, new LogSettings(Verbosity.VERBOSE, LogFormat.PLAIN, true, false, "object", levels), STREAM);

        assertThat(level("kopf4j.objects")).isEqualTo(Level.OFF);
        assertThat(level("io.fabric8.kubernetes.client")).isEqualTo(Level.TRACE);
        assertThat(level("kopf4j.client.requests")).isEqualTo(Level.DEBUG);
        assertThat(level("kopf4j.operator")).isEqualTo(Level.ERROR);
        assertThat(level("jdk.internal")).isEqualTo(Level.INFO);
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, TextLayout", "FULL, TextLayout", "JSON, JsonLayout"})
    @Tag("I08")
    void formatsHaveTheirLayouts(LogFormat format, String layout) {
        LogConfiguration.configure(
                context, new LogSettings(Verbosity.NORMAL, format, true, false, "object", Map.of()), STREAM);

        assertThat(context.getLogger("ROOT").iteratorForAppenders())
                .toIterable()
                .singleElement()
                .extracting("encoder.layout.class.simpleName")
                .isEqualTo(layout);
    }
}
