package dev.kopf4j.engine.intervention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
