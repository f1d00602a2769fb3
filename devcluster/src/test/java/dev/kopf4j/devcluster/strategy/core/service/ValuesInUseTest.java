package dev.kopf4j.devcluster.strategy.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValuesInUseTest {
    private final Set<String> stored = new HashSet<>();
    private int readings;

    private ValuesInUse values(int size) {
        return new ValuesInUse(
                () -> {
                    readings++;
                    return stored;
                },
                String::valueOf,
                size,
                0);
    }

    @Test
    void aValueIsTakenOnceAlthoughItIsNotStoredYet() {
        ValuesInUse values = values(10);
        assertThat(values.take("first", "5")).isTrue();
        assertThat(values.take("second", "5")).isFalse();
        assertThat(values.take("first", "5")).isFalse();
        stored.add("5");
        values.release("first");
        assertThat(values.take("second", "5")).isFalse();
    }

    @Test
    void aValueOfAWriteThatFailedIsFree() {
        ValuesInUse values = values(2);
        assertThat(values.takeNext("failed")).contains("0");
        assertThat(values.takeNext("other")).contains("1");
        assertThat(values.takeNext("late")).isEmpty();
        values.release("failed");
        assertThat(values.takeNext("late")).contains("0");
    }

    @Test
    void aDeletedServiceGivesItsValueBack() {
        ValuesInUse values = values(2);
        stored.add("1");
        assertThat(values.take("a", "1")).isFalse();
        stored.clear();
        assertThat(values.take("a", "1")).isTrue();
    }

    @Test
    void servicesAreReadOnceForAnAllocationHoweverManyThereAre() {
        stored.addAll(IntStream.range(0, 1000).mapToObj(String::valueOf).collect(Collectors.toSet()));
        ValuesInUse values = values(2000);
        assertThat(values.takeNext("a")).contains("1000");
        assertThat(readings).isEqualTo(1);
        ValuesInUse full = values(1000);
        assertThat(full.takeNext("a")).isEmpty();
        assertThat(readings).isEqualTo(3);
    }
}
