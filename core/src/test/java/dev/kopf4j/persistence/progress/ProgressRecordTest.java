package dev.kopf4j.persistence.progress;

import static dev.kopf4j.persistence.conventions.SampleBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.progress.ProgressRecord.Additions;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ProgressRecordTest {
    private static final Instant NEW_YEAR = Instant.parse("2020-01-01T00:00:00Z");
    private static final Times NO_TIMES = new Times(null, null, null);
    private static final ProgressRecord FRESH = ProgressRecord.fresh(NEW_YEAR, "create");
    private static final ProgressRecord FULL = new ProgressRecord(
            new Times(NEW_YEAR, NEW_YEAR.plusSeconds(2), NEW_YEAR.plusSeconds(1)),
            "update",
            3,
            new State(true, true, "oops"),
            List.of("fn/b", "fn/a"),
            Additions.NONE);
    private static final ProgressRecord BLANK =
            new ProgressRecord(NO_TIMES, null, 0, State.OPEN, List.of(), Additions.NONE);

    @Tag("D15")
    @Test
    void writesFieldsInOrderWithoutNulls() {
        assertThat(Json.text(ProgressRecord.encode(FRESH, false)))
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",\"retries\":0,"
                        + "\"success\":false,\"failure\":false}");
        assertThat(Json.text(ProgressRecord.encode(FULL, false)))
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\","
                        + "\"stopped\":\"2020-01-01T00:00:02.000000+00:00\","
                        + "\"delayed\":\"2020-01-01T00:00:01.000000+00:00\",\"purpose\":\"update\",\"retries\":3,"
                        + "\"success\":true,\"failure\":true,\"message\":\"oops\",\"subrefs\":[\"fn/a\",\"fn/b\"]}");
    }

    @Tag("Q14")
    @Test
    void saysThatAKeyWasGivenOnlyIfItWas() {
        assertThat(Json.text(ProgressRecord.encode(FRESH.withKeyGiven(true), false)))
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",\"retries\":0,"
                        + "\"success\":false,\"failure\":false,\"keyGiven\":true}");
    }

    @Tag("C32")
    @Test
    void saysHowLateAttemptsWereOnlyIfTheyWere() {
        ProgressRecord record = FRESH.countingLateness(NEW_YEAR.plusMillis(999));
        assertThat(record).isEqualTo(FRESH);
        record = record.countingLateness(NEW_YEAR.plusMillis(3500))
                .attempted(null, NEW_YEAR.plusSeconds(10), State.OPEN)
                .countingLateness(NEW_YEAR.plusSeconds(50));
        assertThat(record.countingLateness(NEW_YEAR.plusSeconds(50))).isEqualTo(record);
        assertThat(Json.text(ProgressRecord.encode(record, false)))
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\","
                        + "\"delayed\":\"2020-01-01T00:00:50.000000+00:00\",\"purpose\":\"create\",\"retries\":1,"
                        + "\"success\":false,\"failure\":false,\"late\":43}");
        assertThat(record.renewed(NEW_YEAR).late()).isZero();
    }

    @Tag("C27")
    @Test
    void waitsNoLongerThanFromItsBeginningOn() {
        ProgressRecord waiting = FRESH.attempted(null, NEW_YEAR.plusSeconds(10), State.OPEN);
        assertThat(waiting.delay(NEW_YEAR.plusSeconds(4))).isEqualTo(Duration.ofSeconds(6));
        assertThat(waiting.delay(NEW_YEAR.plusSeconds(10))).isZero();
        Instant earlier = NEW_YEAR.minus(Duration.ofDays(100));
        assertThat(waiting.delay(earlier)).isEqualTo(Duration.ofSeconds(10));
        assertThat(waiting.isDue(earlier)).isFalse();
        // Kopf has written the next attempt by a clock that was right, and has left the beginning as it was.
        ProgressRecord mixed = waiting.waitingUntil(earlier.plusSeconds(5));
        assertThat(mixed.delay(earlier)).isEqualTo(Duration.ofSeconds(5));
    }

    @Tag("C27")
    @Test
    void hasBegunByTheClockOfWhoMakesTheNextAttempt() {
        ProgressRecord waiting = FRESH.attempted(null, NEW_YEAR.plusSeconds(10), State.OPEN);
        assertThat(waiting.calledAt(NEW_YEAR.plusSeconds(10))).isEqualTo(waiting);
        // Set back while it has waited: it is due all the same.
        assertThat(waiting.calledAt(NEW_YEAR.plusSeconds(2)).times())
                .isEqualTo(new Times(NEW_YEAR, null, NEW_YEAR.plusSeconds(2)));
        Instant earlier = NEW_YEAR.minus(Duration.ofDays(100));
        assertThat(waiting.calledAt(earlier).times()).isEqualTo(new Times(earlier.minusSeconds(10), null, earlier));
        assertThat(FRESH.calledAt(earlier).times()).isEqualTo(new Times(earlier, null, null));
        ProgressRecord mixed = waiting.waitingUntil(earlier.minusSeconds(5));
        assertThat(mixed.calledAt(earlier).times()).isEqualTo(new Times(earlier, null, earlier.minusSeconds(5)));
    }

    @Tag("D15")
    @Test
    void writesNullsWhenAsked() {
        assertThat(Json.text(ProgressRecord.encode(FRESH, true)))
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"stopped\":null,\"delayed\":null,"
                        + "\"purpose\":\"create\",\"retries\":0,\"success\":false,\"failure\":false,"
                        + "\"message\":null,\"subrefs\":null}");
    }

    @Tag("D15")
    @Test
    void readsWhatItWrites() {
        for (ProgressRecord record : List.of(
                FRESH, FULL, BLANK, FRESH.withKeyGiven(true), FRESH.countingLateness(NEW_YEAR.plusSeconds(5)))) {
            List<String> problems = new ArrayList<>();
            assertThat(ProgressRecord.decode(ProgressRecord.encode(record, false), problems::add))
                    .isEqualTo(record);
            assertThat(ProgressRecord.decode(ProgressRecord.encode(record, true), problems::add))
                    .isEqualTo(record);
            assertThat(problems).isEmpty();
        }
    }

    @Tag("D15")
    @Test
    void takesMissingFieldsAsDefaults() {
        List<String> problems = new ArrayList<>();
        assertThat(ProgressRecord.decode(json("{}"), problems::add)).isEqualTo(BLANK);
        assertThat(ProgressRecord.decode(json("{'purpose':''}"), problems::add)).isEqualTo(BLANK);
        assertThat(problems).isEmpty();
    }

    /** An older version that runs for an hour must not take from a newer one what that has stored. */
    @Tag("D15")
    @Test
    void keepsWhatANewerVersionHasStoredUntilTheHandlerBeginsAnew() {
        List<String> problems = new ArrayList<>();
        ObjectNode stored = ProgressRecord.encode(FRESH, false);
        stored.put("novelty", "a").putObject("tree").putNull("b");
        ProgressRecord record = Objects.requireNonNull(ProgressRecord.decode(stored, problems::add));
        assertThat(problems).isEmpty();
        assertThat(ProgressRecord.encode(record, false)).isEqualTo(stored);
        ProgressRecord later = record.begunBy(NEW_YEAR)
                .countingLateness(NEW_YEAR.plusSeconds(5))
                .lateBy(3)
                .attempted(null, NEW_YEAR.plusSeconds(10), State.OPEN)
                .dueAt(NEW_YEAR.plusSeconds(20))
                .with("update")
                .with(new ProgressRecord.Step(true, null))
                .withKeyGiven(true)
                .withSubrefs(List.of("fn/a"));
        for (boolean withNulls : List.of(false, true)) {
            assertThat(Json.text(ProgressRecord.encode(later, withNulls)))
                    .endsWith(",\"late\":18,\"novelty\":\"a\",\"tree\":{\"b\":null}}");
        }
        assertThat(later.renewed(NEW_YEAR).additions().unknown()).isNull();
    }

    @Tag("D15")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'started':'yesterday'}    | started is no time: \"yesterday\"",
                "{'stopped':5}              | stopped is no string: 5",
                "{'delayed':''}             | delayed is no time: \"\"",
                "{'delayed':'x\\n[INFO] y'} | delayed is no time: \"x\\n[INFO] y\"",
                "{'purpose':['create']}     | purpose is no string: [\"create\"]",
                "{'retries':'many'}         | retries is no count: \"many\"",
                "{'retries':1.5}            | retries is no count: 1.5",
                "{'retries':-1}             | retries is no count: -1",
                "{'retries':3000000000}     | retries is no count: 3000000000",
                "{'success':'yes'}          | success is neither true nor false: \"yes\"",
                "{'failure':1}              | failure is neither true nor false: 1",
                "{'message':{}}             | message is no string: {}",
                "{'subrefs':'fn'}           | subrefs is no list: \"fn\"",
                "{'keyGiven':1}             | keyGiven is neither true nor false: 1",
                "{'late':-1}                | late is no count: -1",
                "{'subrefs':[5]}            | subrefs has something that is no string: 5",
            })
    void replacesBrokenValuesByDefaultsAndTells(String text, String problem) {
        List<String> problems = new ArrayList<>();
        assertThat(ProgressRecord.decode(json(text), problems::add)).isEqualTo(BLANK);
        assertThat(problems).containsExactly(problem);
    }

    @Tag("D15")
    @Test
    void keepsTheRestOfABrokenRecord() {
        ProgressRecord record = ProgressRecord.decode(
                json("{'started':'?','retries':2.0,'success':true,'subrefs':['b',null,'a']}"), problem -> {});
        assertThat(record)
                .isEqualTo(new ProgressRecord(
                        NO_TIMES, null, 2, new State(true, false, null), List.of("a", "b"), Additions.NONE));
    }

    @Tag("D15")
    @Test
    void takesWhatIsNoObjectAsNoRecord() {
        List<String> problems = new ArrayList<>();
        assertThat(ProgressRecord.decode(Json.parse("[1]"), problems::add)).isNull();
        assertThat(problems).containsExactly("expected an object");
    }

    /** An unchanged record must not be stored again only since memory is more precise than the annotation. */
    @Tag("D25")
    @Test
    void equalsItsStoredForm() {
        ProgressRecord precise =
                ProgressRecord.fresh(NEW_YEAR.plusNanos(1_999), "create").withSubrefs(List.of("b", "a", "b"));
        assertThat(ProgressRecord.decode(ProgressRecord.encode(precise, false), problem -> {}))
                .isEqualTo(precise);
        assertThat(precise.subrefs()).containsExactly("a", "b");
    }
}
