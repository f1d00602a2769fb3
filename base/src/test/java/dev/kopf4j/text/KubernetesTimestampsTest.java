package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.checklist.JudgedTable;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("D16")
class KubernetesTimestampsTest {
    @ParameterizedTest
    @CsvSource({
        "2020-01-01T00:00:00Z,           2020-01-01T00:00:00.000000+00:00",
        "2020-12-31T23:59:59.999999999Z, 2020-12-31T23:59:59.999999+00:00",
        "2020-02-29T01:02:03.004Z,       2020-02-29T01:02:03.004000+00:00",
    })
    void alwaysWritesMicrosecondsAndTheOffset(Instant time, String text) {
        assertThat(KubernetesTimestamps.format(time)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2020-01-02T03:04:05.678901+00:00,  2020-01-02T03:04:05.678901Z",
        "2020-01-02T03:04:05.678901,        2020-01-02T03:04:05.678901Z",
        "2020-01-02T03:04:05,               2020-01-02T03:04:05Z",
        "2020-01-02T03:04:05Z,              2020-01-02T03:04:05Z",
        "2020-01-02t03:04:05.5z,            2020-01-02T03:04:05.500Z",
        "2020-01-02T03:04:05.678+02:00,     2020-01-02T01:04:05.678Z",
        "2020-01-02T03:04:05-0330,          2020-01-02T06:34:05Z",
        "2020-01-02T03:04:05+02,            2020-01-02T01:04:05Z",
        "2020-01-02 03:04:05+00:00,         2020-01-02T03:04:05Z",
        "2020-01-02T03:04,                  2020-01-02T03:04:00Z",
        "2020-01-02T03:04:05.123456789Z,    2020-01-02T03:04:05.123456789Z",
    })
    void readsWhatOthersWrite(String text, Instant time) {
        assertThat(KubernetesTimestamps.parse(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "2020-13-01T00:00:00Z", "2020-01-01", "2020-01-01T00:00:00Zx", "1577836800"})
    void refusesWhatIsNoTime(String text) {
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> KubernetesTimestamps.parse(text));
    }

    static List<List<String>> judged() {
        return JudgedTable.rows("times").stream()
                .filter(row -> row.get(2).equals("201") && !row.get(3).equals("null"))
                .toList();
    }

    /** What a server takes is read as the moment that it has understood; the table is what a real one has answered. */
    @ParameterizedTest
    @MethodSource("judged")
    void whatAServerWritesIsReadAsItWasMeant(List<String> row) {
        String answered = row.get(3).replace("\"", "");
        assertThat(KubernetesTimestamps.parse(answered)).isEqualTo(Instant.parse(answered));
    }
}
