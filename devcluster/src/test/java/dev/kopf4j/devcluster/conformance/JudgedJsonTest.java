package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.checklist.JudgedTable;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** JSON as a real server reads and writes it: numbers, texts, patches, and what is too much. */
class JudgedJsonTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.judged.example.com}
            spec:
              group: judged.example.com
              scope: Namespaced
              names: {plural: things, kind: Thing, singular: thing}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;
    private static final String THINGS = "/apis/judged.example.com/v1/namespaces/default/things";
    private static final String BASE =
            "{\"a\":{\"b\":[1,2,3],\"c\":null,\"d\":\"x\"},\"e~/f\":1,\"\":2,\"n\":1.0,\"big\":9223372036854775807}";

    private final InMemory cluster = new InMemory(options -> options);

    @BeforeEach
    void define() {
        assertThat(cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
                        .status())
                .isEqualTo(201);
    }

    private ApiResponse create(String spec) {
        String body =
                "{\"apiVersion\":\"judged.example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":"
                        + spec + "}";
        return cluster.send("POST", THINGS, body, Map.of("content-type", "application/json"));
    }

    private static String spec(ApiResponse response) {
        String text = InMemory.text(response).stripTrailing();
        int spec = text.lastIndexOf("\"spec\":");
        return text.substring(spec + "\"spec\":".length(), text.length() - 1);
    }

    static List<List<String>> values() {
        return JudgedTable.rows("json-values");
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesAreReadAndWrittenAsByARealServer(List<String> row) {
        ApiResponse response = create("{\"v\":" + row.getFirst() + "}");
        assertThat(response.status()).isEqualTo(Integer.parseInt(row.get(1)));
        if (response.status() == 201) {
            assertThat(plain(spec(response))).isEqualTo(plain("{\"v\":" + row.get(2) + "}"));
        } else if (!row.get(2).contains("json parse error")) {
            // The words of parse errors are those of the library.
            assertThat(Json.parse(InMemory.text(response)).path("message").asString())
                    .isEqualTo(row.get(2).replace("Probe", "Thing"));
        }
    }

    /** Both letters of an exponent, and both ways to write letters that mean something in HTML, are the same JSON. */
    private static String plain(String json) {
        return json.replaceAll("(?<=\\d)[eE](?=[-+]\\d)", "e")
                .replace("\\u003c", "<")
                .replace("\\u003e", ">")
                .replace("\\u0026", "&")
                .replace("\\u2028", "\u2028")
                .replace("4.9e-324", "5e-324");
    }

    static List<List<String>> patches() {
        return JudgedTable.rows("patches");
    }

    @ParameterizedTest
    @MethodSource("patches")
    void patchesChangeWhatTheyChangeOnARealServer(List<String> row) {
        assertThat(create(BASE).status()).isEqualTo(201);
        String type = row.getFirst().equals("json") ? "application/json-patch+json" : "application/merge-patch+json";
        ApiResponse response = cluster.send("PATCH", THINGS + "/a", row.get(1), Map.of("content-type", type));
        assertThat(response.status()).isEqualTo(Integer.parseInt(row.get(2)));
        if (response.status() == 200) {
            assertThat(spec(response)).isEqualTo(row.get(3));
        }
    }

    /** The levels count from the object; a real server of v1.33 has answered so. */
    @ParameterizedTest
    @CsvSource({"900, 201", "3000, 201", "9900, 201", "9999, 201", "10000, 400", "10001, 400"})
    void levelsAreAcceptedUpToTheLimitOfTheServer(int levels, int status) {
        ApiResponse response = create("{\"a\":".repeat(levels) + "1" + "}".repeat(levels));
        assertThat(response.status()).isEqualTo(status);
        if (status == 201) {
            assertThat(cluster.send("GET", THINGS, "").status()).isEqualTo(200);
            assertThat(cluster.send("PATCH", THINGS + "/a", "{\"spec\":{\"b\":1}}")
                            .status())
                    .isEqualTo(200);
            assertThat(cluster.send("DELETE", THINGS + "/a", "").status()).isEqualTo(200);
        } else {
            assertThat(InMemory.text(response)).contains("json parse error").contains("exceeded max depth");
        }
    }

    /** Not up to the limit: the library for YAML takes the square of the levels. */
    @Test
    void levelsOfYamlAreAcceptedAsThoseOfJson() {
        ApiResponse response = cluster.send(
                "POST",
                THINGS,
                "{apiVersion: judged.example.com/v1, kind: Thing, metadata: {name: a}, spec: {a: " + "[".repeat(1500)
                        + "1" + "]".repeat(1500) + "}}");
        assertThat(response.status()).as(InMemory.text(response)).isEqualTo(201);
    }

    @Test
    void copiesOfJsonPatchesDoNotGrowWithoutLimit() {
        assertThat(create(BASE).status()).isEqualTo(201);
        String copies = "{\"op\":\"copy\",\"from\":\"/spec/a\",\"path\":\"/spec/a/b/-\"},".repeat(60);
        assertThat(jsonPatch(copies + "{\"op\":\"test\",\"path\":\"/nothing\",\"value\":null}")
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({"10000, 200", "10001, 413"})
    void jsonPatchesHaveTenThousandOperationsAtTheMost(int operations, int status) {
        assertThat(create(BASE).status()).isEqualTo(201);
        String test = "{\"op\":\"test\",\"path\":\"/spec/a/d\",\"value\":\"x\"}";
        ApiResponse response = jsonPatch((test + ",").repeat(operations - 1) + test);
        assertThat(response.status()).isEqualTo(status);
        if (status == 413) {
            assertThat(InMemory.text(response))
                    .contains("Request entity too large: The allowed maximum operations in a JSON patch is 10000,"
                            + " got 10001");
        }
    }

    private ApiResponse jsonPatch(String operations) {
        return cluster.send(
                "PATCH", THINGS + "/a", "[" + operations + "]", Map.of("content-type", "application/json-patch+json"));
    }

    @Test
    void keysAndTextsMayBeAsLongAsTheRequest() {
        assertThat(create("{\"" + "k".repeat(60_000) + "\":1,\"t\":\"" + "x".repeat(1_400_000) + "\"}")
                        .status())
                .isEqualTo(201);
        ApiResponse response = create("{\"t\":\"" + "x".repeat(3_200_000) + "\"}");
        assertThat(response.status()).isEqualTo(413);
        assertThat(InMemory.text(response)).contains("Request entity too large: limit is 3145728");
    }
}
