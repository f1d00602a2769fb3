package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;

@Tag("L62")
class FieldPathTest {
    @Test
    void splitsAtEachDot() {
        assertThat(FieldPath.parse("a.b.c")).isEqualTo(FieldPath.of("a", "b", "c"));
        assertThat(FieldPath.parse("a")).isEqualTo(FieldPath.of("a"));
        assertThat(FieldPath.parse("a..b.").keys()).containsExactly("a", "", "b", "");
        assertThat(FieldPath.parse("a.b.c")).hasToString("a.b.c");
    }

    @Test
    void takesNothingAsRoot() {
        assertThat(FieldPath.parse("")).isEqualTo(FieldPath.ROOT);
        assertThat(FieldPath.parse(null)).isEqualTo(FieldPath.ROOT);
        assertThat(FieldPath.ROOT).hasToString("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.b | {\"a\":{\"b\":1}}       | 1",
                "a   | {\"a\":{\"b\":1}}       | {\"b\":1}",
                "a.b | {\"a\":{\"b\":false}}   | false",
                "a.b | {\"a\":{\"b\":null}}    | ``",
                "a.b | {\"a\":{}}              | ``",
                "a.b | {}                      | ``",
                "a.b | {\"a\":\"text\"}        | ``",
                "a.b | {\"a\":null}            | ``",
                "a.0 | {\"a\":[1]}             | ``",
                "a.b | [1]                     | ``",
                "``  | {\"a\":1}               | {\"a\":1}",
                "``  | null                    | ``",
            })
    void resolvesThroughObjectsOnly(String path, String document, String expected) {
        JsonNode found = FieldPath.parse(path).resolve(Json.parse(document));
        assertThat(found == null ? "" : Json.text(found)).isEqualTo(expected);
    }

    @Test
    void tellsPresentNullFromAbsent() {
        JsonNode document = Json.parse("{\"a\":{\"b\":null}}");
        assertThat(FieldPath.parse("a.b").isPresentIn(document)).isTrue();
        assertThat(FieldPath.parse("a.c").isPresentIn(document)).isFalse();
        assertThat(FieldPath.parse("a.b.c").isPresentIn(document)).isFalse();
        assertThat(FieldPath.ROOT.isPresentIn(document)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.b.c | {}                         | {\"a\":{\"b\":{\"c\":7}}}",
                "a.b   | {\"a\":{\"x\":1,\"b\":2}}  | {\"a\":{\"x\":1,\"b\":7}}",
                "a     | {\"x\":1}                  | {\"x\":1,\"a\":7}",
                "a.b   | {\"a\":null}               | {\"a\":{\"b\":7}}",
            })
    void setsAndMakesObjectsOnTheWay(String path, String before, String after) {
        ObjectNode document = object(before);
        FieldPath.parse(path).ensure(document, IntNode.valueOf(7));
        assertThat(Json.text(document)).isEqualTo(after);
    }

    @Test
    void refusesToSetInsideOfWhatIsNoObject() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> FieldPath.parse("a.b.c").ensure(object("{\"a\":{\"b\":\"txt\"}}"), IntNode.valueOf(7)))
                .withMessage("cannot set field a.b.c: expected an object in b, but found the string \"txt\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.b.c | {\"a\":{\"b\":{\"c\":1}}}        | {}",
                "a.b.c | {\"a\":{\"b\":{\"c\":1}},\"x\":1}| {\"x\":1}",
                "a.b.c | {\"a\":{\"b\":{\"c\":1},\"x\":1}}| {\"a\":{\"x\":1}}",
                "a.b.c | {\"a\":{\"b\":{\"c\":1,\"x\":1}}}| {\"a\":{\"b\":{\"x\":1}}}",
                "a.b.c | {\"a\":{\"b\":{}}}               | {}",
                "a.b.c | {\"a\":{}}                       | {}",
                "a.b.c | {\"x\":{}}                       | {\"x\":{}}",
                "a.b   | {\"a\":\"txt\"}                  | {\"a\":\"txt\"}",
                "a.b   | {\"a\":null}                     | {\"a\":null}",
                "a.b   | {\"a\":{\"b\":null}}             | {}",
                "a     | {\"a\":{\"b\":1}}                | {}",
            })
    void removesWithTheParentsThatAreEmptyThen(String path, String before, String after) {
        ObjectNode document = object(before);
        FieldPath.parse(path).remove(document);
        assertThat(Json.text(document)).isEqualTo(after);
    }

    @Test
    void refusesToSetOrRemoveTheRoot() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldPath.ROOT.ensure(Json.object(), IntNode.valueOf(7)))
                .withMessage("cannot set the root of a document; name a field");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldPath.ROOT.remove(Json.object()))
                .withMessage("cannot remove the root of a document; name a field");
    }

    @Test
    void comparesKeyByKey() {
        FieldPath path = FieldPath.parse("spec.size.max");
        assertThat(path.startsWith(FieldPath.parse("spec.size"))).isTrue();
        assertThat(path.startsWith(path)).isTrue();
        assertThat(path.startsWith(FieldPath.ROOT)).isTrue();
        assertThat(path.startsWith(FieldPath.parse("spec.si"))).isFalse();
        assertThat(FieldPath.parse("spec").startsWith(path)).isFalse();
        assertThat(path.relativeTo(FieldPath.parse("spec"))).isEqualTo(FieldPath.parse("size.max"));
        assertThat(path.relativeTo(path)).isEqualTo(FieldPath.ROOT);
        assertThatIllegalArgumentException().isThrownBy(() -> path.relativeTo(FieldPath.parse("status")));
    }

    @Test
    void appendsKeysAsTheyAre() {
        assertThat(FieldPath.parse("metadata.annotations").append("kopf.dev/x").keys())
                .containsExactly("metadata", "annotations", "kopf.dev/x");
        assertThat(FieldPath.parse("a").append(FieldPath.parse("b.c"))).isEqualTo(FieldPath.parse("a.b.c"));
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) Json.parse(text);
    }
}
