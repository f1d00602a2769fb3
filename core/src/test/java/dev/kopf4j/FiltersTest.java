package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("C17")
@SuppressWarnings("UnnecessaryLambda") // filters are what is tested
class FiltersTest {
    private static final Predicate<Integer> EVEN = number -> number % 2 == 0;
    private static final Predicate<Integer> SMALL = number -> number < 10;

    private static List<Integer> passing(Predicate<Integer> filter) {
        return List.of(1, 2, 11, 12).stream().filter(filter).toList();
    }

    @Test
    void combinesTests() {
        assertThat(passing(Filters.not(EVEN))).containsExactly(1, 11);
        assertThat(passing(Filters.all(EVEN, SMALL))).containsExactly(2);
        assertThat(passing(Filters.any(EVEN, SMALL))).containsExactly(1, 2, 12);
        assertThat(passing(Filters.none(EVEN, SMALL))).containsExactly(11);
    }

    @Test
    void combinationsOfNothingAreWhatLogicSays() {
        assertThat(passing(Filters.all())).hasSize(4);
        assertThat(passing(Filters.any())).isEmpty();
        assertThat(passing(Filters.none())).hasSize(4);
    }

    @Test
    void asksNoFurtherThanNeeded() {
        Predicate<Integer> trap = number -> {
            throw new AssertionError("asked");
        };
        assertThat(passing(Filters.all(number -> false, trap))).isEmpty();
        assertThat(passing(Filters.any(number -> true, trap))).hasSize(4);
        assertThat(passing(Filters.none(number -> true, trap))).isEmpty();
    }

    @Test
    void combinesTestsOfValues() {
        Predicate<Object> one = value -> Integer.valueOf(1).equals(value);
        Predicate<Object> absent = value -> value == null;
        ValueFilter filter = ValueFilter.matching(Filters.none(one, absent));
        HandlerContext context = HandledMap.context(java.util.Map.of());
        ValueFilter.ValueTest test = ((ValueFilter.Callback) filter).test();
        assertThat(test.test(2, context)).isTrue();
        assertThat(test.test(1, context)).isFalse();
        assertThat(test.test(null, context)).isFalse();
    }
}
