package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.checklist.JudgedTable;
import dev.kopf4j.json.JsonPatch.JsonPatchException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a patch makes of an object, as the operator expects it, is what a real API server has answered. The dev cluster
 * has patches of its own, and is held to the same table.
 */
class JudgedPatchesTest {
    private static final String BASE =
            "{\"spec\":{\"a\":{\"b\":[1,2,3],\"c\":null,\"d\":\"x\"},\"e~/f\":1,\"\":2,\"n\":1.0,\"big\":9223372036854775807}}";

    /** The library of the server takes what RFC 6902 refuses; the operator sends no such patches. */
    private static final Set<String> BEYOND_THE_STANDARD = Set.of(
            "[{\"op\":\"add\",\"path\":\"/spec/a/b/-1\",\"value\":9}]",
            "[{\"op\":\"add\",\"path\":\"/spec/a/b/01\",\"value\":9}]",
            "[{\"op\":\"replace\",\"path\":\"/spec/q\",\"value\":5}]",
            "[{\"op\":\"copy\",\"from\":\"/spec/q\",\"path\":\"/spec/r\"}]",
            "[{\"op\":\"test\",\"path\":\"/spec/q\",\"value\":null}]",
            "[{\"op\":\"add\",\"path\":\"/spec/a\"}]",
            "[{\"op\":\"add\",\"path\":\"spec/a\",\"value\":1}]");

    /**
     * The server compares numbers as they are written, and rounds integers of more than 64 bits when it stores them.
     */
    private static final Set<String> NUMBERS = Set.of(
            "[{\"op\":\"test\",\"path\":\"/spec/n\",\"value\":1.0}]",
            "[{\"op\":\"test\",\"path\":\"/spec/n\",\"value\":1e0}]",
            "[{\"op\":\"replace\",\"path\":\"/spec/a/b/1\",\"value\":18446744073709551616}]");

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
        // Within lists the server drops nulls of objects; everywhere else in the operator, too, null is as absent.
        JsonNode expected = parse(row.get(3));
        assertThat(JsonEquality.equal(patched.path("spec"), expected))
                .as("%s is %s, and should be %s", row.get(1), patched.path("spec"), expected)
                .isTrue();
        assertThat(patched.path("spec").propertyNames()).containsExactlyInAnyOrderElementsOf(expected.propertyNames());
    }

    static Stream<List<String>> jsonPatches() {
        return rows("json");
    }

    @ParameterizedTest
    @MethodSource("jsonPatches")
    void jsonPatchesChangeWhatTheyChangeOnARealServer(List<String> row) {
        ArrayNode operations = (ArrayNode) parse(row.get(1));
        if (NUMBERS.contains(row.get(1))) {
            assertThat(JsonPatch.apply(base(), operations).isObject()).isTrue();
            return;
        }
        if (row.get(2).equals("200") && !BEYOND_THE_STANDARD.contains(row.get(1))) {
            assertSame(row, JsonPatch.apply(base(), operations));
        } else {
            assertThatExceptionOfType(JsonPatchException.class).isThrownBy(() -> JsonPatch.apply(base(), operations));
        }
    }

    /** Numbers are compared by their values, as everywhere; absent and null are told apart here. */
    private static void assertSame(List<String> row, JsonNode patched) {
        JsonNode expected = parse(row.get(3));
        assertThat(JsonEquality.identical(patched.path("spec"), expected))
                .as("%s is %s, and should be %s", row.get(1), patched.path("spec"), expected)
                .isTrue();
    }

    @Test
    void theExceptionsAreInTheTable() {
        assertThat(jsonPatches().map(row -> row.get(1)))
                .containsAll(BEYOND_THE_STANDARD)
                .containsAll(NUMBERS);
    }
}
