package dev.kopf4j.devcluster.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexRangesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"         | \"\"        | 0",
                "0            | 0           | 1",
                "0,1          | 0,1         | 2",
                "0,1,2        | 0-2         | 3",
                "5,3-4,0      | 0,3-5       | 4",
                "1-3,2-8      | 1-8         | 8",
                "4,x,7-,-2,3-1| 4           | 1",
                "8-20         | 8,9         | 2",
                "0-999999999  | 0-9         | 10",
            })
    void aTextIsReadAsFarAsItIsOne(String text, String again, long size) {
        IndexRanges ranges = IndexRanges.parse(text, 10);
        assertThat(ranges).hasToString(again);
        assertThat(ranges.size()).isEqualTo(size);
    }

    @Test
    void rangesAreAsASetOfNumbers() {
        long seed = Long.getLong("kopf4j.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            IndexRanges ranges = new IndexRanges();
            TreeSet<Integer> numbers = new TreeSet<>();
            for (int i = 0; i < 12; i++) {
                int number = random.nextInt(20);
                ranges.add(number);
                numbers.add(number);
            }
            int missing = 0;
            while (numbers.contains(missing)) {
                missing++;
            }
            assertThat(ranges.size()).as("seed %d", seed).isEqualTo(numbers.size());
            assertThat(ranges.firstMissing(0)).as("seed %d: %s", seed, ranges).isEqualTo(missing);
            for (int i = 0; i < 20; i++) {
                assertThat(ranges.contains(i)).as("seed %d: %s", seed, ranges).isEqualTo(numbers.contains(i));
            }
            assertThat(IndexRanges.parse(ranges.toString(), 20)).hasToString(ranges.toString());
            assertThat(ranges.common(IndexRanges.parse("3-9", 20)))
                    .as("seed %d: %s", seed, ranges)
                    .isEqualTo(numbers.subSet(3, 10).size());
        }
    }
}
