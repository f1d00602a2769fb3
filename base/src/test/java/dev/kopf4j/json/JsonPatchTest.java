package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Tag("D27")
class JsonPatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}             | {\"a\":1.0}               | []",
                "{}                    | {\"a\":{\"b\":1}}         | [{\"op\":\"add\",\"path\":\"/a\",\"value\":{\"b\":1}}]",
                "{\"a\":{\"b\":1}}     | {\"a\":{}}                | [{\"op\":\"remove\",\"path\":\"/a/b\"}]",
                "{\"a\":{\"b\":1}}     | {\"a\":{\"b\":2}}         | [{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":2}]",
                "{}                    | {\"x/y~z\":null}          | [{\"op\":\"add\",\"path\":\"/x~1y~0z\",\"value\":null}]",
                "{\"a\":null}          | {}                        | [{\"op\":\"remove\",\"path\":\"/a\"}]",
                "{\"f\":[\"x\"]}       | {\"f\":[\"x\",\"y\"]}     | [{\"op\":\"add\",\"path\":\"/f/1\",\"value\":\"y\"}]",
                "{\"f\":[\"x\",\"y\"]} | {\"f\":[\"y\"]}           | [{\"op\":\"remove\",\"path\":\"/f/0\"}]",
                "{\"f\":[\"x\",\"y\"]} | {\"f\":[\"x\"]}           | [{\"op\":\"remove\",\"path\":\"/f/1\"}]",
                "{\"f\":[\"x\"]}       | {}                        | [{\"op\":\"remove\",\"path\":\"/f\"}]",
                "{}                    | {\"f\":[\"x\"]}           | [{\"op\":\"add\",\"path\":\"/f\",\"value\":[\"x\"]}]",
                "[1,2,3,4]             | [1,4]                     | [{\"op\":\"remove\",\"path\":\"/2\"},{\"op\":\"remove\",\"path\":\"/1\"}]",
                "[{\"t\":1},{\"t\":2}] | [{\"t\":1},{\"t\":3}]     | [{\"op\":\"replace\",\"path\":\"/1/t\",\"value\":3}]",
                "1                     | {}                        | [{\"op\":\"replace\",\"path\":\"\",\"value\":{}}]",
            })
    void writesFewestOperations(String from, String to, String expected) {
        assertThat(Json.text(JsonPatch.diff(Json.parse(from), Json.parse(to)))).isEqualTo(expected);
    }

    @Test
    void leadsFromOneDocumentToTheOther() {
        RandomJson.forEachSeed(6000, random -> {
            ObjectNode from = random.object();
            ObjectNode to = random.mutated(from);
            ArrayNode operations = JsonPatch.diff(from, to);
            String before = Json.text(from);
            assertThat(JsonEquality.same(JsonPatch.apply(from, operations, kept -> kept), to))
                    .as("%s from %s to %s", operations, from, to)
                    .isTrue();
            assertThat(Json.text(from)).isEqualTo(before);
            assertThat(operations.isEmpty()).isEqualTo(JsonEquality.same(from, to));
        });
    }

    /** The examples of RFC 6902, appendix A, in short. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"f\":[1,3]}        | {\"op\":\"add\",\"path\":\"/f/1\",\"value\":2}          | {\"f\":[1,2,3]}",
                "{\"f\":[1]}          | {\"op\":\"add\",\"path\":\"/f/-\",\"value\":2}          | {\"f\":[1,2]}",
                "{\"f\":[1]}          | {\"op\":\"add\",\"path\":\"/f/1\",\"value\":2}          | {\"f\":[1,2]}",
                "{\"a\":1}            | {\"op\":\"add\",\"path\":\"/a\",\"value\":2}            | {\"a\":2}",
                "{\"a\":1}            | {\"op\":\"replace\",\"path\":\"\",\"value\":2}          | 2",
                "{\"a\":[1,2]}        | {\"op\":\"replace\",\"path\":\"/a/0\",\"value\":3}      | {\"a\":[3,2]}",
                "{\"a\":[1,2]}        | {\"op\":\"remove\",\"path\":\"/a/0\"}                   | {\"a\":[2]}",
                "{\"a\":{\"x\":1}}    | {\"op\":\"move\",\"from\":\"/a/x\",\"path\":\"/b\"}     | {\"a\":{},\"b\":1}",
                "{\"f\":[1,2,3]}      | {\"op\":\"move\",\"from\":\"/f/0\",\"path\":\"/f/2\"}   | {\"f\":[2,3,1]}",
                "{\"a\":{\"x\":1}}    | {\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}       | {\"a\":{\"x\":1},\"b\":{\"x\":1}}",
                "{\"a/b\":{\"~1\":1}} | {\"op\":\"test\",\"path\":\"/a~1b/~01\",\"value\":1}    | {\"a/b\":{\"~1\":1}}",
            })
    void appliesEveryKindOfOperation(String document, String operation, String expected) {
        assertThat(Json.text(JsonPatch.apply(Json.parse(document), operations(operation), kept -> kept)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"remove\",\"path\":\"/b\"}",
                "{\"op\":\"remove\",\"path\":\"\"}",
                "{\"op\":\"add\",\"path\":\"/b/c\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/a/c\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/f/2\",\"value\":1}",
                "{\"op\":\"remove\",\"path\":\"/f/1\"}",
                "{\"op\":\"add\",\"path\":\"b\",\"value\":1}",
                "{\"op\":\"test\",\"path\":\"/a\",\"value\":2}",
                "{\"op\":\"test\",\"path\":\"/o\",\"value\":{\"n\":null}}",
                "{\"op\":\"move\",\"from\":\"/o\",\"path\":\"/o/x\"}",
                "{\"op\":\"add\"}",
                "{\"op\":\"inc\",\"path\":\"/a\"}",
            })
    void refusesImpossibleOperations(String operation) {
        JsonNode document = Json.parse("{\"a\":1,\"f\":[1],\"o\":{}}");
        assertThatThrownBy(() -> JsonPatch.apply(document, operations(operation), kept -> kept))
                .isInstanceOf(JsonPatch.Failed.class);
        assertThat(Json.text(document)).isEqualTo("{\"a\":1,\"f\":[1],\"o\":{}}");
    }

    /** Copies of copies grow like the powers of two. */
    @Test
    void refusesCopiesOfMoreThanThreeMebibytes() {
        JsonNode document = Json.parse("{\"a\":\"" + "x".repeat(1 << 20) + "\"}");
        String copy = "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}";
        assertThat(JsonPatch.apply(document, operations(copy, copy), kept -> kept)
                        .has("b"))
                .isTrue();
        assertThatThrownBy(() -> JsonPatch.apply(document, operations(copy, copy, copy), kept -> kept))
                .isInstanceOf(JsonPatch.Failed.class)
                .hasMessage("Unable to complete the copy, the accumulated size increase of copy is 3145734,"
                        + " exceeding the limit 3145728");
    }

    private static ArrayNode operations(String... operations) {
        return (ArrayNode) Json.parse("[" + String.join(",", operations) + "]");
    }
}
