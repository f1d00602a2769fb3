package dev.kopf4j.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What grows is told, what comes and goes is not. Tests {@code SoakJudgement}. */
class SoakJudgementTest {
    private static SoakJudgement judged(String name, int samples, IntToDoubleFunction figure) {
        SoakJudgement judgement = new SoakJudgement();
        for (int i = 0; i < samples; i++) {
            judgement.add(new SoakSample(Map.of(name, figure.applyAsDouble(i))));
        }
        return judgement;
    }

    @Test
    void aFigureThatGrowsABitWithEachSampleIsTold() {
        assertThat(judged(SoakSample.HEAP, 40, i -> 10 + i * 0.1).grown())
                .singleElement()
                .asString()
                .startsWith("reachable heap, MB: 11.5 in the second quarter, 13.5 in the last one");
    }

    @Test
    void whatIsLeftOfEachSampleIsTold() {
        assertThat(judged(SoakSample.SCHEDULED, 40, i -> 20 + 10 * i).grown()).hasSize(1);
        assertThat(judged(SoakSample.VIRTUAL, 40, i -> 20 + i).grown()).hasSize(1);
        assertThat(judged(SoakSample.SOCKETS, 40, i -> 4 + i / 2.0).grown()).hasSize(1);
    }

    @Test
    void aProcessMayWarmUpAndAFigureMayWaver() {
        assertThat(judged(SoakSample.HEAP, 40, i -> i < 10 ? i : 10 + i % 3 / 5.0)
                        .grown())
                .isEmpty();
        assertThat(judged(SoakSample.SOCKETS, 40, i -> 4 + i % 4).grown()).isEmpty();
    }

    @Test
    void aRunThatIsTooShortIsNotJudgedToBeFlat() {
        assertThat(judged(SoakSample.HEAP, 11, i -> 10).grown())
                .singleElement()
                .asString()
                .contains("only 11 samples");
    }
}
