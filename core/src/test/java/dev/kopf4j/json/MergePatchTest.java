package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Tag("D26")
class MergePatchTest {
    /** The examples of RFC 7386 with objects on both sides, and nested nulls. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"b\"}              | {\"a\":\"c\"}                 | {\"a\":\"c\"}",
                "{\"a\":\"b\"}              | {\"b\":\"c\"}                 | {\"a\":\"b\",\"b\":\"c\"}",
                "{\"a\":\"b\"}              | {\"a\":null}                  | {}",
                "{\"a\":\"b\",\"b\":\"c\"}  | {\"a\":null}                  | {\"b\":\"c\"}",
                "{\"a\":[\"b\"]}            | {\"a\":\"c\"}                 | {\"a\":\"c\"}",
                "{\"a\":\"c\"}              | {\"a\":[\"b\"]}               | {\"a\":[\"b\"]}",
                "{\"a\":{\"b\":\"c\"}}      | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
                "{\"a\":[{\"b\":\"c\"}]}    | {\"a\":[1]}                   | {\"a\":[1]}",
                "{\"e\":null}               | {\"a\":1}                     | {\"e\":null,\"a\":1}",
                "{}                         | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}",
                "{\"a\":\"text\"}           | {\"a\":{\"b\":1,\"c\":null}}  | {\"a\":{\"b\":1}}",
                "{}                         | {\"a\":[{\"b\":null}]}        | {\"a\":[{\"b\":null}]}",
            })
    void appliesAsTheRfcSays(String target, String patch, String expected) {
        ObjectNode before = object(target);
        assertThat(Json.text(MergePatch.apply(before, object(patch)))).isEqualTo(expected);
        assertThat(before).isEqualTo(object(target));
    }

    @Test
    void sharesNothingWithItsArguments() {
        ObjectNode target = object("{\"t\":{\"x\":1}}");
        ObjectNode patch = object("{\"p\":[{\"y\":1}]}");
        ObjectNode patched = MergePatch.apply(target, patch);
        ((ObjectNode) patched.get("t")).put("x", 2);
        ((ObjectNode) patched.get("p").get(0)).put("y", 2);
        assertThat(Json.text(target)).isEqualTo("{\"t\":{\"x\":1}}");
        assertThat(Json.text(patch)).isEqualTo("{\"p\":[{\"y\":1}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}            | {\"a\":2}             | {\"a\":2}",
                "{\"a\":1}            | {\"a\":null}          | {\"a\":null}",
                "{\"a\":null}         | {\"a\":1}             | {\"a\":1}",
                "{\"a\":{\"b\":1}}    | {\"a\":{\"c\":null}}  | {\"a\":{\"b\":1,\"c\":null}}",
                "{\"a\":{\"b\":1}}    | {\"a\":null}          | {\"a\":null}",
                "{\"a\":[1]}          | {\"a\":[2]}           | {\"a\":[2]}",
            })
    void joinsKeepingNullsAndLaterValues(String earlier, String later, String expected) {
        ObjectNode accumulated = object(earlier);
        MergePatch.mergeInto(accumulated, object(later));
        assertThat(Json.text(accumulated)).isEqualTo(expected);
    }

    @Test
    void joinedPatchHasTheEffectOfBoth() {
        int[] checked = new int[1];
        RandomJson.forEachSeed(6000, random -> {
            ObjectNode target = random.object();
            ObjectNode first = random.object();
            ObjectNode second = random.object();
            if (putsObjectOverNonObject(first, second)) {
                return;
            }
            ObjectNode joined = first.deepCopy();
            MergePatch.mergeInto(joined, second);
            ObjectNode expected = MergePatch.apply(MergePatch.apply(target, first), second);
            assertThat(JsonEquality.identical(MergePatch.apply(target, joined), expected))
                    .as("%s patched by %s then %s", target, first, second)
                    .isTrue();
            checked[0]++;
        });
        assertThat(checked[0]).isGreaterThan(3000);
    }

    @Test
    void joinedPatchDoesNotShareNodesWithTheLaterOne() {
        ObjectNode accumulated = Json.object();
        ObjectNode later = object("{\"a\":{\"b\":1}}");
        MergePatch.mergeInto(accumulated, later);
        MergePatch.mergeInto(accumulated, object("{\"a\":{\"b\":2}}"));
        assertThat(Json.text(later)).isEqualTo("{\"a\":{\"b\":1}}");
    }

    private static boolean putsObjectOverNonObject(JsonNode first, JsonNode second) {
        for (Map.Entry<String, JsonNode> entry : second.properties()) {
            JsonNode earlier = first.get(entry.getKey());
            if (earlier != null
                    && entry.getValue().isObject()
                    && (!earlier.isObject() || putsObjectOverNonObject(earlier, entry.getValue()))) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) Json.parse(text);
    }
}
