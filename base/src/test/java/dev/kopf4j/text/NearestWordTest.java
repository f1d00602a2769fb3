package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
    private static final List<String> WORDS = List.of("run", "resume", "namespace", "devcluster", "name");

    @ParameterizedTest
    @CsvSource({
        "rnu, run",
        "runn, run",
        "nmae, name",
        "namspace, namespace",
        "namesapces, namespace",
        "devclsuter, devcluster",
        "dev, devcluster",
        "fly,",
        "xyz,",
        "quantity,"
    })
    void guessesOnlyWhatIsLikely(String typed, @Nullable String meant) {
        assertThat(NearestWord.likely(typed, WORDS).orElse(null)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"run, run, 0", "rnu, run, 1", "ru, run, 1", "runs, run, 1", "fan, run, 2", "'', run, 3", "abcd, badc, 2"
    })
    void countsTheStepsBetweenTwoWords(String one, String other, int steps) {
        assertThat(NearestWord.distance(one, other)).isEqualTo(steps);
        assertThat(NearestWord.distance(other, one)).isEqualTo(steps);
    }
}
