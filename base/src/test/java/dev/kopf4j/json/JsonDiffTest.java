package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class JsonDiffTest {
    /** The texts are those of Kopf's logs. */
    @Tag("D01")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}                  | {\"a\":1.0}               | ()",
                "null                       | null                      | ()",
                "{\"a\":null}               | {}                        | ()",
                "{\"a\":{\"b\":null}}       | {\"a\":{}}                | ()",
                "null                       | {\"a\":1}                 | (('add', (), None, {'a': 1}),)",
                "{\"a\":1}                  | null                      | (('remove', (), {'a': 1}, None),)",
                "{\"spec\":{\"field\":\"a\"}}|{\"spec\":{\"field\":\"b\"}} | (('change', ('spec', 'field'), 'a', 'b'),)",
                "{\"spec\":{}}              | {\"spec\":{\"extra\":1}}  | (('add', ('spec', 'extra'), None, 1),)",
                "{}                         | {\"status\":{\"phase\":\"A\"}} | (('add', ('status',), None, {'phase': 'A'}),)",
                "{}                         | {\"a\":{}}                | (('add', ('a',), None, {}),)",
                "{\"a\":{\"b\":1}}          | {\"a\":{}}                | (('remove', ('a', 'b'), 1, None),)",
                "{\"a\":{\"b\":1}}          | {}                        | (('remove', ('a',), {'b': 1}, None),)",
                "{\"a\":null}               | {\"a\":1}                 | (('add', ('a',), None, 1),)",
                "{\"a\":1}                  | {\"a\":null}              | (('remove', ('a',), 1, None),)",
                "{\"a\":[1,2]}              | {\"a\":[1,3]}             | (('change', ('a',), [1, 2], [1, 3]),)",
                "{\"a\":[{\"b\":1}]}        | {\"a\":[{\"b\":2}]}       | (('change', ('a',), [{'b': 1}], [{'b': 2}]),)",
                "{\"a\":{\"b\":1}}          | {\"a\":\"text\"}          | (('change', ('a',), {'b': 1}, 'text'),)",
                "{\"a\":1}                  | {\"a\":true}              | (('change', ('a',), 1, True),)",
                "{\"r\":1,\"c\":1}          | {\"c\":2,\"n\":1}         | (('add', ('n',), None, 1), ('remove', ('r',), 1, None), ('change', ('c',), 1, 2))",
            })
    void comparesAsKopfDoes(String a, String b, String expected) {
        assertThat(JsonDiff.between(Json.parse(a), Json.parse(b))).hasToString(expected);
    }

    @Tag("D02")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "FULL  | (('add', ('n',), None, 1), ('remove', ('r',), 1, None), ('change', ('c', 'x'), 1, 2))",
                "LEFT  | (('remove', ('r',), 1, None), ('change', ('c', 'x'), 1, 2))",
                "RIGHT | (('add', ('n',), None, 1), ('change', ('c', 'x'), 1, 2))",
            })
    void limitsKeysToTheScope(JsonDiff.Scope scope, String expected) {
        JsonNode a = Json.parse("{\"r\":1,\"c\":{\"x\":1}}");
        JsonNode b = Json.parse("{\"c\":{\"x\":2},\"n\":1}");
        assertThat(JsonDiff.between(a, b, scope)).hasToString(expected);
    }

    @Tag("D02")
    @Test
    void limitsNestedKeysToTheScopeToo() {
        JsonNode a = Json.parse("{\"c\":{\"l\":1}}");
        JsonNode b = Json.parse("{\"c\":{\"r\":1}}");
        assertThat(JsonDiff.between(a, b, JsonDiff.Scope.LEFT)).hasToString("(('remove', ('c', 'l'), 1, None),)");
        assertThat(JsonDiff.between(a, b, JsonDiff.Scope.RIGHT)).hasToString("(('add', ('c', 'r'), None, 1),)");
    }

    @Tag("C25")
    @Tag("D02")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // the field itself, and what is inside of it
                "s.f   | {\"s\":{\"f\":1}}          | {\"s\":{\"f\":2}}            | (('change', (), 1, 2),)",
                "s     | {\"s\":{\"f\":1}}          | {\"s\":{\"f\":2}}            | (('change', ('f',), 1, 2),)",
                "s.f   | {\"s\":{\"f\":{\"x\":1}}}  | {\"s\":{\"f\":{\"y\":1}}}    | (('add', ('y',), None, 1), ('remove', ('x',), 1, None))",
                // what contains the field
                "s.f   | {}                         | {\"s\":{\"f\":\"A\"}}        | (('add', (), None, 'A'),)",
                "s.f   | {\"s\":{\"f\":1}}          | {}                           | (('remove', (), 1, None),)",
                "s.f   | {\"s\":\"text\"}           | {\"s\":{\"f\":1}}            | (('add', (), None, 1),)",
                "s.f   | {\"s\":[1]}                | {\"s\":{\"g\":1}}            | ()",
                "s.f   | {}                         | {\"s\":{\"g\":1}}            | ()",
                // something else
                "s.f   | {\"s\":{\"g\":1}}          | {\"s\":{\"g\":2}}            | ()",
                "s.f   | {\"t\":1}                  | {}                           | ()",
                "s.f   | {\"s\":{\"ff\":1}}         | {\"s\":{}}                   | ()",
                // everything
                "``    | {\"s\":{\"g\":1}}          | {\"s\":{\"g\":2}}            | (('change', ('s', 'g'), 1, 2),)",
            })
    void reducesToOneField(String field, String a, String b, String expected) {
        assertThat(JsonDiff.between(Json.parse(a), Json.parse(b)).reduce(FieldPath.parse(field)))
                .hasToString(expected);
    }

    @Tag("C25")
    @Tag("D02")
    @Test
    void reducesToWhatTheFieldsThemselvesDifferIn() {
        FieldPath field = FieldPath.parse("a.b");
        RandomJson.forEachSeed(3000, random -> {
            ObjectNode a = random.object();
            ObjectNode b = random.mutated(a);
            JsonDiff direct = JsonDiff.between(field.resolve(a), field.resolve(b));
            assertThat(JsonDiff.between(a, b).reduce(field).items())
                    .containsExactlyInAnyOrderElementsOf(direct.items());
        });
    }

    @Tag("D01")
    @Test
    void leadsFromOneDocumentToTheOther() {
        RandomJson.forEachSeed(5000, random -> {
            ObjectNode a = random.object();
            ObjectNode b = random.mutated(a);
            JsonDiff diff = JsonDiff.between(a, b);
            assertThat(JsonEquality.equal(applied(a, diff), b))
                    .as("%s from %s to %s", diff, a, b)
                    .isTrue();
            assertThat(diff.isEmpty()).isEqualTo(JsonEquality.equal(a, b));
        });
    }

    @Tag("D01")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"it's\"               | \"it's\"",
                "\"it's \\\"x\\\"\"     | 'it\\'s \"x\"'",
                "\"\\\"\"               | '\"'",
                "\"a\\\\b\\n\\t\\r\"    | 'a\\\\b\\n\\t\\r'",
                "\"\\u0001\\u007f\\u00a0\\u200b\" | '\\x01\\x7f\\xa0\\u200b'",
                "\"\\uffff\\udb40\\udc01\"  | '\\uffff\\U000e0001'",
                "\"zażółć 😀\"          | 'zażółć 😀'",
                "1.0                    | 1.0",
                "-0.0                   | -0.0",
                "0.0                    | 0.0",
                "1e15                   | 1000000000000000.0",
                "1e16                   | 1e+16",
                "-1.5e300               | -1.5e+300",
                "0.0001                 | 0.0001",
                "0.00001                | 1e-05",
                "12345678901234567890   | 12345678901234567890",
                "[true,null,{\"k\":[]}] | [True, None, {'k': []}]",
            })
    void writesValuesAsPythonDoes(String json, String expected) {
        assertThat(JsonDiff.between(null, Json.parse(json))).hasToString("(('add', (), None, " + expected + "),)");
    }

    @Tag("D01")
    @Test
    void comparesItemsByMeaning() {
        assertThat(JsonDiff.between(null, Json.parse("1"))).isEqualTo(JsonDiff.between(null, Json.parse("1.0")));
        assertThat(JsonDiff.between(null, Json.parse("1"))).isNotEqualTo(JsonDiff.between(null, Json.parse("2")));
        assertThat(JsonDiff.between(null, Json.parse("1"))).isNotEqualTo(JsonDiff.between(Json.parse("1"), null));
    }

    private static JsonNode applied(ObjectNode document, JsonDiff diff) {
        ObjectNode changed = document.deepCopy();
        for (JsonDiff.Item item : diff.items()) {
            JsonNode value = item.newValue();
            item.field().ensure(changed, value == null ? JsonNodeFactory.instance.nullNode() : value);
        }
        return changed;
    }

    @Test
    @Tag("D01")
    void equalDifferencesAreToldInTheSameOrderHoweverTheKeysAreOrdered() {
        JsonNode before = Json.parse("{\"z\":1,\"y\":1,\"kept\":{\"b\":1,\"a\":1}}");
        JsonNode after = Json.parse("{\"d\":1,\"kept\":{\"b\":2,\"a\":2},\"c\":1}");
        JsonNode reordered = Json.parse("{\"c\":1,\"d\":1,\"kept\":{\"a\":2,\"b\":2}}");
        JsonDiff diff = JsonDiff.between(before, after);
        assertThat(diff.items()).isEqualTo(JsonDiff.between(before, reordered).items());
        assertThat(diff.items().stream().map(item -> item.operation() + " " + item.field()))
                .containsExactly("ADD c", "ADD d", "REMOVE y", "REMOVE z", "CHANGE kept.a", "CHANGE kept.b");
    }
}
