package dev.kopf4j.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LayoutTest {
    /** As the framework's references: fields for JSON, and a short text. */
    private record Reference(
            String kind, String name, @Nullable String namespace) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    private static final Reference REFERENCE = new Reference("KopfExample", "one", "default");

    private final LoggingEvent event = event(Map.of());

    @Test
    @Tag("I08")
    void plainShowsTheMessageAlone() {
        assertThat(new TextLayout(false, false, false).doLayout(event))
                .isEqualTo("Handler is invoked." + System.lineSeparator());
    }

    @Test
    @Tag("I08")
    void fullShowsTimeLoggerAndLevelInColumns() {
        assertThat(new TextLayout(false, true, false).doLayout(event))
                .matches(
                        "\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}] kopf.objects         \\[WARN    ] Handler is invoked\\.\\R");
    }

    @Test
    @Tag("I09")
    void prefixNamesTheObject() {
        event.setKeyValuePairs(List.of(new KeyValuePair("object", REFERENCE)));

        assertThat(new TextLayout(true, false, false).doLayout(event)).startsWith("[default/one] Handler");
    }

    @Test
    void textHasWhatWasAttachedBeforeTheMessage() {
        event.setKeyValuePairs(List.of(new KeyValuePair("object", REFERENCE), new KeyValuePair("attempt", 3)));
        assertThat(new TextLayout(true, false, false).doLayout(event)).startsWith("[default/one] attempt=3 Handler");
    }

    @Test
    @Tag("I09")
    void linesOfOtherLoggersNameTheObjectThatIsBeingHandled() {
        LoggingEvent other = event(Map.of("object", "default/one", "handler", "fn"));

        assertThat(new TextLayout(true, false, false).doLayout(other)).startsWith("[default/one] Handler");
        var line = json(new JsonLayout(false, "k8s").doLayout(other));
        assertThat(line.get("k8s"))
                .as("of the type that it has in lines of the framework")
                .isEqualTo(json("{\"name\":\"one\",\"namespace\":\"default\"}"));
        assertThat(line.get("handler").stringValue()).isEqualTo("fn");
    }

    @Test
    void warningsHaveTheirColourOnTerminals() {
        assertThat(new TextLayout(false, false, true).doLayout(event))
                .isEqualTo("\u001b[33mHandler is invoked.\u001b[0m" + System.lineSeparator());
        assertThat(Terminal.hasColors(Map.of("NO_COLOR", "1", "TERM", "xterm"))).isFalse();
        assertThat(Terminal.hasColors(Map.of("TERM", "dumb"))).isFalse();
    }

    @Test
    @Tag("I09")
    void linesWithoutAnObjectHaveNoPrefix() {
        assertThat(new TextLayout(true, false, false).doLayout(event)).startsWith("Handler");
    }

    @Test
    @Tag("I08")
    @Tag("I09")
    @Tag("I10")
    void jsonHasTheObjectUnderItsKeyAndWhatElseWasAttached() {
        event.setKeyValuePairs(List.of(new KeyValuePair("object", REFERENCE), new KeyValuePair("attempt", 3)));

        var line = json(new JsonLayout(false, "k8s").doLayout(event));
        assertThat(line.get("message").stringValue()).isEqualTo("Handler is invoked.");
        assertThat(line.get("severity").stringValue()).isEqualTo("warn");
        assertThat(line.get("timestamp").stringValue()).isEqualTo("2026-11-20T10:00:00.000000+00:00");
        assertThat(line.get("k8s").get("name").stringValue()).isEqualTo("one");
        assertThat(line.get("attempt").intValue()).isEqualTo(3);
    }

    @Test
    @Tag("I09")
    void jsonHasThePrefixIfItIsWanted() {
        event.setKeyValuePairs(List.of(new KeyValuePair("object", REFERENCE)));

        assertThat(json(new JsonLayout(true, "object").doLayout(event))
                        .get("message")
                        .stringValue())
                .isEqualTo("[default/one] Handler is invoked.");
        assertThat(json(new JsonLayout(false, "object").doLayout(event))
                        .get("message")
                        .stringValue())
                .isEqualTo("Handler is invoked.");
    }

    @Test
    @Tag("I10")
    void fieldsThatAnObjectHasNotAreNull() {
        event.setKeyValuePairs(List.of(new KeyValuePair("object", new Reference("Node", "n1", null))));

        assertThat(json(new JsonLayout(false, "object").doLayout(event)).get("object"))
                .isEqualTo(json("{\"kind\":\"Node\",\"name\":\"n1\",\"namespace\":null}"));
        assertThat(json(new JsonLayout(false, "object").doLayout(event(Map.of("object", "n1"))))
                        .get("object"))
                .isEqualTo(json("{\"name\":\"n1\",\"namespace\":null}"));
    }

    @ParameterizedTest
    @Tag("I10")
    @CsvSource({"TRACE, debug", "DEBUG, debug", "INFO, info", "WARN, warn", "ERROR, error"})
    void jsonHasTheSeverityOfItsLevel(String level, String severity) {
        var other = event(Level.valueOf(level), null, Map.of());

        assertThat(json(new JsonLayout(false, "object").doLayout(other))
                        .get("severity")
                        .stringValue())
                .isEqualTo(severity);
    }

    @Test
    @Tag("I10")
    void stackTracesAreShown() {
        var failed = event(Level.ERROR, new IllegalStateException("oh no"), Map.of());

        var line = json(new JsonLayout(false, "object").doLayout(failed));
        assertThat(line.get("exc_info").stringValue())
                .startsWith("java.lang.IllegalStateException: oh no")
                .contains("\tat " + LayoutTest.class.getName());
        assertThat(json(new JsonLayout(false, "object").doLayout(event)).has("exc_info"))
                .isFalse();
        assertThat(new TextLayout(false, false, false).doLayout(failed))
                .startsWith("Handler is invoked." + System.lineSeparator() + "java.lang.IllegalStateException: oh no")
                .contains("\tat " + LayoutTest.class.getName());
    }

    @Test
    void noMessageLooksLikeAnotherOneOrCommandsTheTerminal() {
        String forged = "x\n[2026-11-29] forged\r[2026-11-29] forged\r\n\tin a table\u001b[2J";
        var other = event(Level.WARN, null, Map.of("object", "default/one"), forged);

        assertThat(new TextLayout(true, false, false).doLayout(other))
                .isEqualTo(
                        "[default/one] Handler is x\n    [2026-11-29] forged\n    [2026-11-29] forged\n    \tin a table\\u001b[2J."
                                + System.lineSeparator());
        var failed = event(
                Level.ERROR,
                new IllegalStateException(forged, new IllegalArgumentException("the cause\n" + forged)),
                Map.of());
        assertThat(new TextLayout(false, false, false).doLayout(failed).lines())
                .contains(
                        "java.lang.IllegalStateException: x",
                        "    [2026-11-29] forged",
                        "Caused by: java.lang.IllegalArgumentException: the cause")
                .anyMatch(line -> line.startsWith("\tat " + LayoutTest.class.getName()))
                .allMatch(line -> line.matches("(Handler is|java\\.lang\\.|Caused by: |\\s).*"))
                .noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    @Tag("I10")
    void jsonStaysOneLineWhenAnAttachedValueIsNotJson() {
        var itself = new ArrayList<Object>() {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                return "itself";
            }
        };
        itself.add(itself);
        event.setKeyValuePairs(List.of(new KeyValuePair("thread", itself)));

        String line = new JsonLayout(false, "object").doLayout(event);
        assertThat(line).endsWith("\n").containsOnlyOnce("\n");
        assertThat(json(line).get("thread").stringValue()).isEqualTo("itself");
    }

    private static JsonNode json(String line) {
        return JsonMapper.shared().readTree(line);
    }

    private static LoggingEvent event(Map<String, String> mdc) {
        return event(Level.WARN, null, mdc);
    }

    private static LoggingEvent event(Level level, @Nullable Throwable throwable, Map<String, String> mdc) {
        return event(level, throwable, mdc, "invoked");
    }

    private static LoggingEvent event(
            Level level, @Nullable Throwable throwable, Map<String, String> mdc, String argument) {
        var context = new LoggerContext();
        var event = new LoggingEvent(
                "", context.getLogger("kopf.objects"), level, "Handler is {}.", throwable, new Object[] {argument});
        event.setInstant(Instant.parse("2026-11-20T10:00:00Z"));
        event.setMDCPropertyMap(mdc);
        return event;
    }
}
