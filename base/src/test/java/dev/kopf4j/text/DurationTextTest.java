package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link DurationText}. */
class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT1M10S, 1m10s",
        "PT26H0.5S, 1d2h500ms",
        "PT-3S, -3s",
        "PT-1M-0.25S, -1m250ms",
        "PT0.000000001S, PT0.000000001S",
    })
    void durationsAreWrittenAsPeopleDo(Duration duration, String text) {
        assertThat(DurationText.format(duration)).isEqualTo(text);
    }
}
