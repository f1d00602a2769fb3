package dev.kopf4j.engine.intervention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link FailedHandlers}: that what is kept of failures is bounded. */
class FailedHandlersTest {
    private static final ProgressRecord FRESH = ProgressRecord.fresh(Instant.EPOCH, "update");
    private static final ProgressRecord FAILED = FRESH.with(FRESH.times(), new ProgressRecord.State(false, true, "no"));

    @Test
    void thousandsOfFailedSubHandlersFitIntoAnAnnotation() {
        Map<String, ProgressRecord> below = new HashMap<>();
        for (int i = 0; i < 9000; i++) {
            below.put("parent/a-sub-handler-with-a-long-name-" + i, FAILED);
        }
        FailedHandlers failures = FailedHandlers.NONE.with("parent", FRESH, null, below);
        assertThat(failures.text()).hasSizeLessThan(64 * 1024).contains("and 8990 more");
    }

    @Test
    void hundredsOfHandlersWithLongErrorsFitIntoAnAnnotation() {
        ProgressRecord record =
                FRESH.with(FRESH.times(), new ProgressRecord.State(false, true, "a long error. ".repeat(100)));
        FailedHandlers failures = FailedHandlers.NONE;
        for (int i = 0; i < 200; i++) {
            failures = failures.with("a-handler-with-a-long-name-" + i, record, null);
        }
        assertThat(failures.text()).hasSizeLessThan(64 * 1024).contains("a-handler-with-a-long-name-199");
    }

    /** Whoever may change an object may write anything there. */
    @ParameterizedTest
    @CsvSource({"5000, true, true", "6000, true, false", "22000, false, false"})
    void noMoreIsReadThanIsWritten(int lists, boolean known, boolean withState) {
        String state = "{\"a\":[" + "[],".repeat(lists) + "0]}";
        List<String> problems = new ArrayList<>();
        FailedHandlers failures =
                FailedHandlers.parse("{\"update\":{\"reason\":\"update\",\"since\":" + state + "}}", problems::add);
        assertThat(failures.reason("update")).isEqualTo(known ? "update" : "");
        assertThat(failures.since("update").isPresent()).isEqualTo(withState);
        assertThat(problems.isEmpty()).isEqualTo(known);
    }
}
