package dev.kopf4j.devcluster.controller.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class IntOrPercentTest {
    @ParameterizedTest
    @CsvSource({
        "3, 10, 3, 3",
        "'\"25%\"', 10, 3, 2",
        "'\"25%\"', 4, 1, 1",
        "'\"25%\"', 1, 1, 0",
        "'\"0%\"', 7, 0, 0",
        "'\"100%\"', 7, 7, 7",
        "'\"150%\"', 3, 5, 4",
        "null, 7, 0, 0"
    })
    void percentagesOfATotalAreRoundedUpOrDown(String value, long total, long up, long down) {
        JsonNode node = Json.parse(value);
        assertThat(IntOrPercent.roundedUp(node, total)).isEqualTo(up);
        assertThat(IntOrPercent.roundedDown(node, total)).isEqualTo(down);
    }
}
