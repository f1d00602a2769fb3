package dev.kopf4j.devcluster.strategy.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTimesTest {
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    /** Two times that follow each other, of 2026, without seconds. */
    private static String next(String schedule, String zone, Instant after) {
        CronTimes times = CronTimes.of(schedule, ZoneId.of(zone));
        List<String> found = new ArrayList<>();
        Instant time = after;
        for (int each = 0; each < 2; each++) {
            time = times.next(time).orElseThrow();
            found.add(time.toString().replaceFirst(":00Z$", "").replaceFirst("^2026-", ""));
        }
        return String.join(" ", found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *         | 01-01T00:01 01-01T00:02",
                "*/15 * * * *      | 01-01T00:15 01-01T00:30",
                "5/20 * * * *      | 01-01T00:05 01-01T00:25",
                "10-12,40 3 * * *  | 01-01T03:10 01-01T03:11",
                "0 0 31 * *        | 01-31T00:00 03-31T00:00",
                "0 12 * * mon-fri  | 01-01T12:00 01-02T12:00",
                "0 12 * * 0        | 01-04T12:00 01-11T12:00",
                "0 0 13 * fri      | 01-02T00:00 01-09T00:00",
                "0 0 */2 * fri     | 01-02T00:00 01-03T00:00",
                "0 0 */1 * fri     | 01-02T00:00 01-09T00:00",
                "0 0 ? 2 1         | 02-02T00:00 02-09T00:00",
                "@hourly           | 01-01T01:00 01-01T02:00",
                "@weekly           | 01-04T00:00 01-11T00:00",
                "@monthly          | 02-01T00:00 03-01T00:00",
                "@every 1h30m      | 01-01T01:30 01-01T03:00",
            })
    void followTheSchedule(String schedule, String times) {
        assertThat(next(schedule, "UTC", NEW_YEAR)).isEqualTo(times);
    }

    @Test
    void areLookedForInFiveYears() {
        ZoneId zone = ZoneId.of("UTC");
        assertThat(CronTimes.of("0 0 29 feb *", zone).next(NEW_YEAR)).contains(Instant.parse("2028-02-29T00:00:00Z"));
        assertThat(CronTimes.of("0 0 31 feb *", zone).next(NEW_YEAR)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 8 * * *   | 2026-01-01T00:00:00Z | 01-01T07:00 01-02T07:00",
                "0 8 * * *   | 2026-07-01T00:00:00Z | 07-01T06:00 07-02T06:00",
                "30 2 * * *  | 2026-03-28T12:00:00Z | 03-30T00:30 03-31T00:30",
                "30 2 * * *  | 2026-10-24T12:00:00Z | 10-25T00:30 10-25T01:30",
                "0 0 1 * *   | 2026-03-15T00:00:00Z | 03-31T22:00 04-30T22:00",
            })
    void followTheClocksOfTheZone(String schedule, Instant after, String times) {
        assertThat(next(schedule, "Europe/Berlin", after)).isEqualTo(times);
    }

    @ParameterizedTest
    @CsvSource({
        "@every 1h30m, ''",
        "@every +1.5h.5m, ''",
        "@every 0, ''",
        "@every 5, missing unit in duration",
        "@every 1h5, missing unit in duration",
        "@every 1d, unknown unit",
        "@every h, invalid duration",
        "@every -, invalid duration",
        "'@every ', invalid duration",
        "@every 1..5h, missing unit in duration",
        "@every 9999999h, invalid duration"
    })
    void intervalsAreDurationsOfGo(String schedule, String problem) {
        assertThat(CronTimes.problemOfDescriptor(schedule)).contains(problem);
        assertThat(CronTimes.problemOfDescriptor(schedule).isEmpty()).isEqualTo(problem.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"1, missing unit in duration", "1s, invalid duration", ".1s, invalid duration", "s1, invalid duration"})
    void longIntervalsAreReadInOnePass(String part, String problem) {
        assertThat(CronTimes.problemOfDescriptor("@every " + part.repeat(300_000) + "."))
                .contains(part.equals("1") ? "missing unit in duration" : problem);
    }

    @ParameterizedTest
    @CsvSource({"@every 10s, 2026-01-01T00:00:10Z", "@every 0.1s, 2026-01-01T00:00:01Z"})
    void intervalsAreWholeSeconds(String schedule, Instant time) {
        assertThat(CronTimes.of(schedule, ZoneId.of("UTC")).next(NEW_YEAR.plusMillis(700)))
                .contains(time);
    }
}
