package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.checklist.JudgedTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a patch makes of an object, for the operator and the dev cluster, is what a real API server has answered. */
class JudgedPatchesTest {
    private static final String BASE =
            "{\"spec\":{\"a\":{\"b\":[1,2,3],\"c\":null,\"d\":\"x\"},\"e~/f\":1,\"\":2,\"n\":1,\"big\":9223372036854775807}}";

    /** How much of a number is kept is said by whoever stores it: see the dev cluster's {@code JudgedJsonTest}. */
    private static final String ROUNDED =
            "[{\"op\":\"replace\",\"path\":\"/spec/a/b/1\",\"value\":18446744073709551616}]";

    private static ObjectNode base() {
        return Json.parseObject(BASE.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode parse(String text) {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Stream<List<String>> rows(String kind) {
        return JudgedTable.rows("patches").stream().filter(row -> row.getFirst().equals(kind));
    }

    static Stream<List<String>> mergePatches() {
        return rows("merge");
    }

    @ParameterizedTest
    @MethodSource("mergePatches")
    void mergePatchesChangeWhatTheyChangeOnARealServer(List<String> row) {
        ObjectNode patched = MergePatch.apply(base(), (ObjectNode) parse(row.get(1)));
        JsonNode expected = parse(row.get(3));
        assertThat(JsonEquality.same(patched.path("spec"), expected))
                .as("%s is %s, and should be %s", row.get(1), patched.path("spec"), expected)
                .isTrue();
    }

    static Stream<List<String>> jsonPatches() {
        return rows("json");
    }

    @ParameterizedTest
    @MethodSource("jsonPatches")
    void jsonPatchesChangeWhatTheyChangeOnARealServer(List<String> row) {
        ArrayNode operations = (ArrayNode) parse(row.get(1));
        if (!row.get(2).equals("200")) {
            assertThatExceptionOfType(JsonPatch.Failed.class)
                    .isThrownBy(() -> JsonPatch.apply(base(), operations, kept -> kept));
            return;
        }
        JsonNode patched = JsonPatch.apply(base(), operations, kept -> kept);
        JsonNode expected = parse(row.get(3));
        assertThat(row.get(1).equals(ROUNDED) || JsonEquality.same(patched.path("spec"), expected))
                .as("%s is %s, and should be %s", row.get(1), patched.path("spec"), expected)
                .isTrue();
    }

    @Test
    void theExceptionIsInTheTable() {
        assertThat(jsonPatches().map(row -> row.get(1))).contains(ROUNDED);
    }
}
