package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.MarkerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Who hears what is logged about an object, and which levels count. Tests {@link ObjectLogger}. */
class ObjectLoggerTest {
    private static final ObjectReference REFERENCE = new ObjectReference("v1", "Pod", "x", "u", "ns");

    private final List<String> heard = new ArrayList<>();

    @AutoClose
    private final ObjectLogCapture log = new ObjectLogCapture();

    private final ObjectLogger logger = new ObjectLogger(REFERENCE, new ObjectLogListener() {
        @Override
        public boolean isInterestedIn(org.slf4j.event.Level level) {
            return level != org.slf4j.event.Level.TRACE;
        }

        @Override
        public void logged(
                ObjectReference object, org.slf4j.event.Level level, String message, @Nullable Throwable throwable) {
            heard.add(level + " " + object + " " + message + (throwable == null ? "" : " " + throwable.getMessage()));
        }
    });

    private static void logAll(Logger logger) {
        logger.trace("t");
        logger.debug("d");
        logger.info("i {}", 1);
        logger.warn("w");
        logger.error("e");
    }

    @Test
    @Tag("I12")
    void othersHearAnObjectsLoggerAndNotALocalOne() {
        logAll(logger);
        assertThat(heard).containsExactly("DEBUG ns/x d", "INFO ns/x i 1", "WARN ns/x w", "ERROR ns/x e");
        heard.clear();
        logAll(ObjectLogger.local(logger));
        assertThat(heard).isEmpty();
        assertThat(log.lines(Level.DEBUG))
                .containsExactly(
                        "debug: d", "info: i 1", "warn: w", "error: e", "debug: d", "info: i 1", "warn: w", "error: e");
    }

    @Test
    @Tag("I10")
    @Tag("I12")
    void whatIsAttachedToALineStaysBesideItsMessage() {
        IllegalStateException failure = new IllegalStateException("sold out");
        logger.atInfo()
                .addKeyValue("order", 42)
                .addKeyValue("user", "bob")
                .addMarker(MarkerFactory.getMarker("shop"))
                .log("placed {}", "it", failure);
        logger.atWarn().setCause(failure).log("late");
        assertThat(heard).containsExactly("INFO ns/x placed it sold out", "WARN ns/x late sold out");
        ILoggingEvent placed = log.events().getFirst();
        assertThat(placed.getFormattedMessage()).isEqualTo("placed it");
        assertThat(placed.getKeyValuePairs())
                .extracting(pair -> pair.key, pair -> pair.value)
                .containsExactly(tuple("object", REFERENCE), tuple("order", 42), tuple("user", "bob"));
        assertThat(placed.getMarkerList()).containsExactly(MarkerFactory.getMarker("shop"));
        assertThat(log.events())
                .allSatisfy(event ->
                        assertThat(event.getThrowableProxy().getMessage()).isEqualTo("sold out"));
    }

    @Test
    @Tag("I09")
    @Tag("I10")
    void referencesAreNamesInTextAndFieldsInJson() {
        assertThat(REFERENCE).hasToString("ns/x");
        ObjectReference node = new ObjectReference("v1", "Node", "n", "u", null);
        assertThat(node).hasToString("n");
        assertThat(JsonMapper.shared().writeValueAsString(node))
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n\",\"uid\":\"u\",\"namespace\":null}");
    }

    @ParameterizedTest
    @Tag("I12")
    @CsvSource({"TRACE, i 1 w e", "DEBUG, i 1 w e", "INFO, w e", "WARN, w e", "ERROR, e"})
    void terseOnesInformOnlyWhereOthersGoIntoDetail(String level, String logged) {
        log.level(Level.valueOf(level));
        logAll(ObjectLogger.terse(REFERENCE));
        logAll(ObjectLogger.local(ObjectLogger.terse(REFERENCE)));
        assertThat(log.lines(Level.TRACE).stream().map(line -> line.replaceAll(".*: ", "")))
                .isEqualTo(List.of((logged + " " + logged).replace("i 1", "i_1").split(" ", -1)).stream()
                        .map(word -> word.replace('_', ' '))
                        .toList());
    }
}
