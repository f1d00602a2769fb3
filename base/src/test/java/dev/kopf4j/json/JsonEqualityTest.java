package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;

@Tag("D01")
class JsonEqualityTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1                       | 1.0",
                "1e2                     | 100",
                "9223372036854775808     | 9223372036854775808.0",
                "-0.0                    | 0",
                "{\"a\":1,\"b\":2}       | {\"b\":2.0,\"a\":1}",
                "{\"a\":1,\"b\":null}    | {\"a\":1}",
                "{\"a\":1}               | {\"c\":null,\"a\":1}",
                "{\"a\":null}            | {\"b\":null}",
                "{\"a\":null}            | {}",
                "[1,{\"a\":null}]        | [1.0,{}]",
                "null                    | null",
                "true                    | true",
            })
    void treatsAsEqual(String a, String b) {
        assertThat(JsonEquality.equal(Json.parse(a), Json.parse(b))).isTrue();
        assertThat(JsonEquality.equal(Json.parse(b), Json.parse(a))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1                       | 2",
                "1                       | 1.5",
                "1                       | true",
                "1                       | \"1\"",
                "9223372036854775807     | 9223372036854775808",
                "9223372036854775806     | 9223372036854775807",
                "9007199254740993        | 9007199254740992.0",
                "0.1                     | 0.10000000000000002",
                "{\"a\":1}               | {\"a\":1,\"b\":2}",
                "{\"a\":1}               | {\"b\":1}",
                "{\"a\":1,\"b\":null}    | {\"b\":1,\"a\":null}",
                "{\"a\":{}}              | {}",
                "[1,2]                   | [2,1]",
                "[1]                     | [1,null]",
                "[]                      | {}",
                "null                    | {}",
                "null                    | false",
            })
    void tellsApart(String a, String b) {
        assertThat(JsonEquality.equal(Json.parse(a), Json.parse(b))).isFalse();
        assertThat(JsonEquality.equal(Json.parse(b), Json.parse(a))).isFalse();
    }

    /** Such an integer is no double. */
    @Test
    void tellsAnIntegerOfHundredsOfDigitsFromARealNumber() {
        String integer = "9".repeat(400);
        assertThat(JsonEquality.equal(Json.parse(integer), Json.parse("1.5"))).isFalse();
        assertThat(JsonEquality.equal(Json.parse("1.5"), Json.parse(integer))).isFalse();
        assertThat(JsonEquality.equal(Json.parse(integer), Json.parse(integer))).isTrue();
    }

    @Test
    void treatsNoValueAsJsonNull() {
        JsonNode jsonNull = Json.parse("null");
        assertThat(JsonEquality.equal(null, jsonNull)).isTrue();
        assertThat(JsonEquality.equal(jsonNull, null)).isTrue();
        assertThat(JsonEquality.equal(null, null)).isTrue();
        assertThat(JsonEquality.equal(null, Json.object())).isFalse();
    }

    @Test
    void tellsNullFromAbsentWhenAskedForTheSame() {
        JsonNode jsonNull = Json.parse("null");
        assertThat(JsonEquality.same(null, jsonNull)).isFalse();
        assertThat(JsonEquality.same(jsonNull, Json.object().path("missing"))).isFalse();
        assertThat(JsonEquality.same(null, null)).isTrue();
        assertThat(JsonEquality.same(jsonNull, jsonNull)).isTrue();
        assertThat(JsonEquality.same(Json.parse("{\"a\":null}"), Json.object())).isFalse();
        assertThat(JsonEquality.same(Json.object(), Json.parse("{\"a\":null}"))).isFalse();
        assertThat(JsonEquality.same(Json.parse("{\"a\":1}"), Json.parse("{\"a\":1.0}")))
                .isTrue();
    }

    @Test
    void comparesEvenWhatIsNoNumber() {
        JsonNode nan = DoubleNode.valueOf(Double.NaN);
        JsonNode infinite = DoubleNode.valueOf(Double.POSITIVE_INFINITY);
        assertThat(JsonEquality.equal(nan, nan.deepCopy())).isTrue();
        assertThat(JsonEquality.equal(nan, Json.parse("1.5"))).isFalse();
        assertThat(JsonEquality.equal(Json.parse("1"), infinite)).isFalse();
    }

    @Test
    void agreesWithItselfInBothDirections() {
        RandomJson.forEachSeed(3000, random -> {
            JsonNode a = random.value();
            JsonNode b = random.value();
            assertThat(JsonEquality.equal(a, b)).isEqualTo(JsonEquality.equal(b, a));
            assertThat(JsonEquality.equal(a, a.deepCopy())).isTrue();
            assertThat(JsonEquality.same(a, Json.parse(Json.bytes(a)))).isTrue();
        });
    }
}
