package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What of an object may be logged: tests {@link LoggedContent}. */
class LoggedContentTest {
    private static final Resource SECRETS = resource("secrets", "Secret");

    private static Resource resource(String plural, String kind) {
        return new Resource(
                "",
                "v1",
                new Resource.Names(plural, kind, plural, Set.of(), Set.of()),
                Set.of("status"),
                true,
                true,
                Set.of("patch"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"apiVersion":"v1","kind":"Secret","type":"Opaque","immutable":true} | {"apiVersion":"v1","kind":"Secret","type":"Opaque","immutable":true}
            {"metadata":{"name":"a","labels":{"b":"c"},"finalizers":["d"]}}      | {"metadata":{"name":"a","labels":{"b":"c"},"finalizers":["d"]}}
            {"metadata":{"annotations":{"a":"swordfish","b":null}}}              | {"metadata":{"annotations":{"a":"(hidden)","b":null}}}
            {"data":{"a":"swordfish","b":null},"stringData":"swordfish"}         | {"data":{"a":"(hidden)","b":null},"stringData":"(hidden)"}
            {"status":{"result":{"got":{"a":"swordfish"},"all":["swordfish"]}}}  | {"status":{"result":{"got":{"a":"(hidden)"},"all":"(hidden)"}}}
            {"status":null,"other":7}                                            | {"status":null,"other":"(hidden)"}
            """)
    void ofSecretsTheKeysAlone(String content, String logged) {
        assertThat(LoggedContent.of(SECRETS, (ObjectNode) Json.parse(content))).hasToString(logged);
    }

    @Test
    void alsoInOperationsOfAJsonPatch() {
        ArrayNode operations = (ArrayNode) Json.parse("""
                [{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"add","path":"/status","value":{"a":"swordfish"}},
                {"op":"add","path":"/status/a","value":"swordfish"},{"op":"add","path":"/metadata/annotations/a","value":"swordfish"}]""");
        assertThat(LoggedContent.of(SECRETS, operations).toString())
                .contains("\"value\":\"7\"", "\"value\":{\"a\":\"(hidden)\"}")
                .doesNotContain("swordfish");
    }

    @Test
    void alsoInDiffs() {
        JsonDiff diff = JsonDiff.between(
                Json.parse("{\"metadata\":{\"labels\":{\"a\":\"shown\"}},\"status\":{\"a\":\"swordfish\"}}"),
                Json.parse("{\"metadata\":{\"annotations\":{\"a\":\"swordfish\"}}}"),
                JsonDiff.Scope.FULL);
        assertThat(LoggedContent.of(SECRETS, diff).items().toString())
                .contains("shown", "status", "annotations", "(hidden)")
                .doesNotContain("swordfish");
    }

    @Test
    void ofOthersAll() {
        ObjectNode content = (ObjectNode) Json.parse("{\"data\":{\"a\":\"b\"},\"status\":{\"c\":\"d\"}}");
        assertThat(LoggedContent.of(resource("configmaps", "ConfigMap"), content))
                .isEqualTo(content);
    }
}
