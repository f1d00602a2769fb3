package dev.kopf4j.devcluster.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndentedJsonTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private final InMemory cluster = new InMemory(UnaryOperator.identity());

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The text in pieces of this size. */
    private static List<byte[]> pieces(String text, int size) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += size) {
            pieces.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
        }
        return pieces;
    }

    private static String indented(String text, int size) {
        ApiResponse response = IndentedJson.of(
                new ApiResponse(200, "application/json", List.of(), new ApiResponse.Pieces(pieces(text, size))));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        ((ApiResponse.Pieces) response.body()).pieces().forEach(whole::writeBytes);
        return whole.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                      | {}
            [ ]                     | []
            "a"                     | "a"
            -1.5e3                  | -1.5e3
            {"a":{},"b":[]}         | {~  "a": {},~  "b": []~}
            {"a":[1,[2,{"b":null}]]} | {~  "a": [~    1,~    [~      2,~      {~        "b": null~      }~    ]~  ]~}
            {"a,:{":"}]\\"\\\\"}    | {~  "a,:{": "}]\\"\\\\"~}
            {"ä":"\\\\\\"[","b":1}  | {~  "ä": "\\\\\\"[",~  "b": 1~}
            """)
    void eachValueHasALine(String text, String expected) {
        for (int size = 1; size <= text.length() + 1; size++) {
            assertThat(indented(text + "\n", size)).as("pieces of " + size).isEqualTo(expected.replace("~", "\n"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "curl/8.5.0, '', true",
        "Wget/1.21, '', true",
        "Mozilla/5.0 (X11), '', true",
        "kubectl/v1.33.0, '', false",
        "kubectl/v1.33.0, ?pretty=true, true",
        "kubectl/v1.33.0, ?pretty=1, true",
        "kubectl/v1.33.0, ?pretty=yes, false",
        "curl/8.5.0, ?pretty=false, false",
        "curl/8.5.0, ?pretty=, true"
    })
    void peopleAndWhoAsksForItGetLines(String agent, String query, boolean lines) {
        String answer = text(((ApiResponse.Whole)
                        cluster.send("GET", "/api/v1/namespaces/default" + query, "", Map.of("user-agent", agent))
                                .body())
                .bytes());
        assertThat(answer.startsWith("{\n  \"")).isEqualTo(lines);
        assertThat(answer.endsWith("}")).isEqualTo(lines);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis", "/api/v1", MAPS, MAPS + "/none", "/api/v1/nosuch", "/version"})
    void allAnswersOfTheApiHaveLines(String target) {
        assertThat(InMemory.text(cluster.send("GET", target, "", Map.of("user-agent", "curl/8.5.0"))))
                .startsWith("{\n  \"");
    }

    @Test
    void watchesHaveALineForEachEvent() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ApiResponse response = cluster.send("GET", MAPS + "?watch=true", "", Map.of("user-agent", "curl/8.5.0"));
        assertThat(response.body()).isInstanceOf(ApiResponse.Events.class);
    }
}
