package dev.kopf4j.devcluster.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class GoPatternsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ^[[:alpha:]]+$    | abc       | true
            ^[[:alpha:]]+$    | ab1       | false
            ^(?P<n>a)\\z      | a         | true
            ^a$               | "a\n"     | false
            ^a$               | a         | true
            ^\\pL+$           | été       | true
            """)
    void areThoseOfGo(String pattern, String text, boolean matches) {
        assertThat(GoPatterns.problem(pattern)).isEmpty();
        assertThat(GoPatterns.find(pattern, text)).isEqualTo(matches);
    }

    @Test
    void anEmptyMatchDoesNotFollowAnother() {
        assertThat(GoPatterns.findAll("a*", "baaac", -1)).containsExactly("", "aaa", "");
        assertThat(GoPatterns.findAll("a", "aaaa", 2)).containsExactly("a", "a");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ^(?!a)      | error parsing regexp: invalid or unsupported Perl syntax: `(?!`
            (?<=a)b     | error parsing regexp: invalid named capture: `(?<=a)b`
            [           | error parsing regexp: missing closing ]: `[`
            a{1001}     | error parsing regexp: invalid repeat count: `{1001}`
            (a)\\1      | error parsing regexp: invalid escape sequence: `\\1`
            """)
    void whatGoDoesNotKnowIsRefusedInDefinitions(String pattern, String problem) {
        InMemory cluster = new InMemory(options -> options);
        JsonNode refused =
                cluster.json("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                    properties: {text: {type: string, pattern: '%s'}}}}}]
                """.formatted(pattern));
        assertThat(refused.path("code").intValue()).isEqualTo(422);
        assertThat(Json.string(refused, "message"))
                .contains("properties[text].pattern: Invalid value: ")
                .endsWith("must be a valid regular expression, but isn't: " + problem);
    }
}
