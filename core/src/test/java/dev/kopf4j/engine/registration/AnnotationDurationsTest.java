package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.registration.AnnotationAttributes.AnnotationDurations;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("C30")
class AnnotationDurationsTest {
    @ParameterizedTest
    @CsvSource({
        "10s, PT10S",
        "1m30s, PT1M30S",
        "500ms, PT0.5S",
        "1.5h, PT1H30M",
        "1d, PT24H",
        "0s, PT0S",
        "' 5m ', PT5M",
        "PT5M, PT5M",
        "-PT1S, PT-1S"
    })
    void readsWhatPeopleWrite(String text, Duration duration) {
        assertThat(AnnotationDurations.parse(text, "timeout")).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "10 s", "10s5", "-10s", "1e3s", "PT", "ten seconds", "10S"})
    void refusesEverythingElse(String text) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> AnnotationDurations.parse(text, "timeout"))
                .withMessageContaining("timeout is not a duration: '" + text + "'")
                .withMessageContaining("1m30s");
    }
}
