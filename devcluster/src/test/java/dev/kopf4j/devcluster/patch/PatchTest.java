package dev.kopf4j.devcluster.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** With examples of RFC 7396 and RFC 6902. */
class PatchTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static JsonNode json(String text) {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{'a':'b'}; {'a':'c'}; {'a':'c'}",
                "{'a':'b'}; {'b':'c'}; {'a':'b','b':'c'}",
                "{'a':'b','b':'c'}; {'a':null}; {'b':'c'}",
                "{'a':['b']}; {'a':'c'}; {'a':'c'}",
                "{'a':{'b':'c'}}; {'a':{'b':'d','c':null}}; {'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]}; {'a':[1]}; {'a':[1]}",
                "{}; {'a':{'bb':{'ccc':null}}}; {'a':{'bb':{}}}"
            })
    void mergesAsTheStandardSays(String target, String patch, String result) {
        ObjectNode object = (ObjectNode) json(target);
        MergePatch.applyInto(object, (ObjectNode) json(patch));
        assertThat(object).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{'a':1}; [{'op':'add','path':'/b','value':2}]; {'a':1,'b':2}",
                "{'a':[1,3]}; [{'op':'add','path':'/a/1','value':2}]; {'a':[1,2,3]}",
                "{'a':[1]}; [{'op':'add','path':'/a/-','value':2}]; {'a':[1,2]}",
                "{'a':1,'b':2}; [{'op':'remove','path':'/b'}]; {'a':1}",
                "{'a':1}; [{'op':'move','from':'/a','path':'/b'}]; {'b':1}",
                "{'a':1}; [{'op':'copy','from':'/a','path':'/b'}]; {'a':1,'b':1}",
                "{'x/y':1,'~':2}; [{'op':'replace','path':'/x~1y','value':3},{'op':'remove','path':'/~0'}]; {'x/y':3}"
            })
    void followsJsonPatchOperations(String target, String operations, String result) {
        assertThat(JsonPatch.apply(json(target), (ArrayNode) json(operations), Json::kept))
                .isEqualTo(json(result));
    }

    @Test
    void failsWhenATestDoesNotHold() {
        ArrayNode operations = Json.array();
        operations.add(json("{'op':'test','path':'/a','value':2}"));
        JsonNode document = json("{'a':1}");
        assertThatThrownBy(() -> JsonPatch.apply(document, operations, Json::kept))
                .isInstanceOf(JsonPatch.Failed.class);
    }
}
