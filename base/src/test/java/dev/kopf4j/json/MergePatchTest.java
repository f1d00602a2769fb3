package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class MergePatchTest {
    /** The examples of RFC 7386 with objects on both sides, and nested nulls, which servers drop in lists, too. */
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
                "{}                         | {\"a\":[{\"b\":null}]}        | {\"a\":[{}]}",
            })
    void appliesAsTheRfcSaysAndServersDo(String target, String patch, String expected) {
        ObjectNode before = object(target);
        assertThat(Json.text(MergePatch.apply(before, object(patch)))).isEqualTo(expected);
        assertThat(before).isEqualTo(object(target));
    }

    @Test
    void overlaysAsItAppliesButSharesWhatThePatchLeavesAlone() {
        RandomJson.forEachSeed(2000, random -> {
            ObjectNode target = random.object();
            ObjectNode patch = random.object();
            ObjectNode before = target.deepCopy();
            assertThat(MergePatch.overlay(target, patch)).isEqualTo(MergePatch.apply(target, patch));
            assertThat(target).isEqualTo(before);
        });
        ObjectNode target = object("{\"left\":{\"x\":1},\"changed\":{\"y\":1}}");
        ObjectNode patch = object("{\"changed\":{\"z\":{}}}");
        ObjectNode patched = MergePatch.overlay(target, patch);
        assertThat(patched.get("left")).isSameAs(target.get("left"));
        assertThat(patched.at("/changed/z")).isNotSameAs(patch.at("/changed/z"));
    }

    @Test
    void overlaysKeepSortedKeysSorted() {
        ObjectNode patch = object("{\"c\":1,\"a\":{\"x\":1}}");
        assertThat(Json.text(MergePatch.overlay(object("{\"b\":1,\"d\":1}"), patch)))
                .isEqualTo("{\"a\":{\"x\":1},\"b\":1,\"c\":1,\"d\":1}");
        assertThat(Json.text(MergePatch.overlay(object("{\"d\":1,\"b\":1}"), patch)))
                .isEqualTo("{\"d\":1,\"b\":1,\"c\":1,\"a\":{\"x\":1}}");
    }

    @Test
    void joinedPatchesHaveTheEffectOfOneAfterTheOtherIfTheyCanBeJoined() {
        int[] joined = {0};
        RandomJson.forEachSeed(5000, random -> {
            ObjectNode target = random.object();
            ObjectNode earlier = random.object();
            ObjectNode later = random.object();
            if (MergePatch.canJoin(earlier, later)) {
                joined[0]++;
                ObjectNode both = earlier.deepCopy();
                MergePatch.mergeInto(both, later);
                assertThat(MergePatch.apply(target, both))
                        .isEqualTo(MergePatch.apply(MergePatch.apply(target, earlier), later));
            }
        });
        assertThat(joined[0]).isBetween(500, 4900);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":null}          | {\"a\":{\"b\":1}}       | false",
                "{\"a\":1}             | {\"a\":{}}              | false",
                "{\"x\":{\"a\":[]}}    | {\"x\":{\"a\":{\"b\":1}}} | false",
                "{\"a\":{\"b\":1}}     | {\"a\":{\"b\":null}}    | true",
                "{\"a\":{\"b\":1}}     | {\"a\":null}            | true",
                "{\"b\":1}             | {\"a\":{\"b\":1}}       | true",
            })
    void whatReplacesSomethingElseByAnObjectCannotBeJoined(String earlier, String later, boolean possible) {
        assertThat(MergePatch.canJoin(object(earlier), object(later))).isEqualTo(possible);
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
            assertThat(JsonEquality.same(MergePatch.apply(target, joined), expected))
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
