package dev.kopf4j.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one object costs does not rise unnoticed: nothing here is a time, so a slow machine does not matter. */
class CountLimitTest {
    private static Counts counts;

    @BeforeAll
    static void count() throws IOException, InterruptedException {
        counts = CountTrial.count();
    }

    @ParameterizedTest
    @EnumSource(CountLimit.class)
    void noCountIsAboveItsLimit(CountLimit row) {
        double count = counts.of(row);
        assertThat(count).as(row.tooHigh(count)).isBetween(-1.0, row.limit());
    }

    @ParameterizedTest
    @EnumSource(CountLimit.class)
    void limitsAreCloseToWhatWasMeasured(CountLimit row) {
        assertThat(row.limit()).isBetween(row.measured(), 1.45 * row.measured());
    }

    @Test
    void aCountThatIsTooHighSaysWhichFromWhatAndWhereToLook() {
        assertThat(CountLimit.PATCHES.tooHigh(2.0))
                .contains("PATCHes for a created object: 2.", "The limit is 1", "it was 1", "OutgoingPatch");
    }
}
