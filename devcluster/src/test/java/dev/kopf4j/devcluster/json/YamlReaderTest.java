package dev.kopf4j.devcluster.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kubectl and API servers make of YAML: their reader knows YAML 1.1. */
class YamlReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0400       | 256",
                "0644       | 420",
                "-0o17      | -15",
                "0x1F       | 31",
                "+0b101     | 5",
                "1_000      | 1000",
                "08         | 8",
                "0          | 0",
                "1_0.5      | 10.5",
                "1e3        | 1000",
                ".5         | 0.5",
                "2147483648 | 2147483648",
                "yes        | true",
                "On         | true",
                "Y          | true",
                "TRUE       | true",
                "no         | false",
                "OFF        | false",
                "n          | false",
                "~          | null",
                "''         | \"\"",
                "'0400'     | \"0400\"",
                "\"yes\"    | \"yes\"",
                "oN         | \"oN\"",
                "_1         | \"_1\"",
                "12:30      | \"12:30\"",
                "2001-01-01 | \"2001-01-01\"",
                "0400x      | \"0400x\"",
                "!!str 0400 | \"0400\"",
                "{on: 1, 010: 2} | {\"true\":1,\"8\":2}",
            })
    void readsWhatGoReads(String yaml, String json) {
        assertThat(YamlReader.documents("value: " + yaml))
                .singleElement()
                .extracting(Json::text)
                .isEqualTo("{\"value\":" + json + "}");
    }

    @Test
    void modesOfFilesAreOctal() {
        InMemory cluster = new InMemory(UnaryOperator.identity());
        assertThat(cluster.json("POST", "/apis/apps/v1/namespaces/default/deployments", """
                        metadata: {name: a}
                        spec:
                          selector: {matchLabels: {a: b}}
                          template:
                            metadata: {labels: {a: b}}
                            spec:
                              containers: [{name: a, image: a}]
                              volumes: [{name: a, secret: {secretName: a, defaultMode: 0400}}]
                        """)
                        .at("/spec/template/spec/volumes/0/secret/defaultMode")
                        .intValue())
                .isEqualTo(256);
    }

    @Test
    void aWordForABooleanIsNoText() {
        InMemory cluster = new InMemory(UnaryOperator.identity());
        assertThat(cluster.json(
                                "POST",
                                "/api/v1/namespaces/default/configmaps",
                                "metadata: {name: a, labels: {a: yes}}")
                        .path("message")
                        .asString())
                .contains("cannot unmarshal bool into Go struct field");
    }
}
