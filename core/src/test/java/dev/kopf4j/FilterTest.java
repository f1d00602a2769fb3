package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("C17")
@SuppressWarnings("UnnecessaryLambda") // filters are what is tested
class FilterTest {
    private static final Predicate<Integer> EVEN = number -> number % 2 == 0;
    private static final Predicate<Integer> SMALL = number -> number < 10;

    private static List<Integer> passing(Predicate<Integer> filter) {
        return List.of(1, 2, 11, 12).stream().filter(filter).toList();
    }

    @Test
    void combinesTests() {
        assertThat(passing(Filter.not(EVEN))).containsExactly(1, 11);
        assertThat(passing(Filter.all(EVEN, SMALL))).containsExactly(2);
        assertThat(passing(Filter.any(EVEN, SMALL))).containsExactly(1, 2, 12);
        assertThat(passing(Filter.none(EVEN, SMALL))).containsExactly(11);
    }

    @Test
    void combinationsOfNothingAreWhatLogicSays() {
        assertThat(passing(Filter.all())).hasSize(4);
        assertThat(passing(Filter.any())).isEmpty();
        assertThat(passing(Filter.none())).hasSize(4);
    }

    @Test
    void asksNoFurtherThanNeeded() {
        Predicate<Integer> trap = number -> {
            throw new AssertionError("asked");
        };
        assertThat(passing(Filter.all(number -> false, trap))).isEmpty();
        assertThat(passing(Filter.any(number -> true, trap))).hasSize(4);
        assertThat(passing(Filter.none(number -> true, trap))).isEmpty();
    }
}
