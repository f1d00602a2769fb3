package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class MergeDifferenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}          | {'a':1.0}          | {}",
                "{'a':1}          | {'a':2}            | {'a':2}",
                "{'a':1,'b':2}    | {'a':1}            | {}",
                "{'a':1,'b':2}    | {'a':1,'b':null}   | {'b':null}",
                "{'a':1}          | {'a':1,'b':null}   | {}",
                "{'a':{'x':1}}    | {'a':{'y':2}}      | {'a':{'y':2,'x':null}}",
                "{'a':{'x':1}}    | {'a':{'x':1}}      | {}",
                "{'a':[1,2]}      | {'a':[1]}          | {'a':[1]}",
                "{}               | {'a':[{'x':null}]} | {'a':[{}]}",
                "{'a':[{}]}       | {'a':[{'x':null}]} | {}",
                "{'a':'text'}     | {'a':{'x':null}}   | {'a':{}}",
            })
    void leadsFromOneToTheOther(String actual, String wanted, String patch) {
        assertThat(MergePatch.difference(json(actual), json(wanted))).isEqualTo(json(patch));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':{'x':1}}             | {'a':{'y':2}}      | {'a':{'y':2}}",
                "{'a':{'x':1}}             | {'a':{'x':null}}   | {'a':{'x':null}}",
                "{'a':{'b':{'x':1,'y':2}}} | {'a':{'b':{'y':2}}} | {}",
                "{'a':1,'b':2}             | {'a':1,'b':null}   | {'b':null}",
            })
    void anAdditionRemovesNothingButWhatIsNull(String actual, String wanted, String patch) {
        assertThat(MergePatch.addition(json(actual), json(wanted))).isEqualTo(json(patch));
    }

    @Test
    void hasTheWantedFieldsAfterwards() {
        RandomJson.forEachSeed(2000, random -> {
            ObjectNode actual = random.object();
            ObjectNode wanted = random.mutated(actual);
            ObjectNode patched = MergePatch.apply(actual, MergePatch.difference(actual, wanted));
            for (String key : wanted.propertyNames()) {
                assertThat(JsonEquality.equal(patched.get(key), wanted.get(key)))
                        .as("%s to %s gives %s", actual, wanted, patched)
                        .isTrue();
            }
        });
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"'));
    }
}
