package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link DurationText}. */
class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT1M10S, 1m10s",
        "PT26H0.5S, 1d2h500ms",
        "PT-3S, PT-3S",
        "PT-1M-0.25S, PT-1M-0.25S",
        "PT0.000000001S, PT0.000000001S",
    })
    void durationsAreWrittenAsPeopleDo(Duration duration, String text) {
        assertThat(DurationText.format(duration)).isEqualTo(text);
        assertThat(DurationText.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({"106751d, P106751D", "1.5h, PT1H30M", "0.1s, PT0.1S", "2562047h, PT2562047H", "1d1ms, PT24H0.001S"})
    void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"200000d", "106751d1d", "99999999999999999999999s", "P200000D", "PT-3000000H"})
    void whatNoClockCanCountIsRefused(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the duration '" + text + "' is longer than 292 years");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "1", "-5s", "1 s", "1x"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a duration: '" + text + "'");
    }
}
