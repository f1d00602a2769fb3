package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.checklist.JudgedTable;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Selectors, labels, base64, times and quantities as a real server reads and writes them. */
class JudgedRulesTest {
    private static final String CORE = "/api/v1/namespaces/judged/";
    private static final Map<String, String> LABELS = Map.of(
            "a", "{\"app\":\"web\",\"tier\":\"front\",\"n\":\"5\"}",
            "b", "{\"app\":\"web\",\"tier\":\"back\",\"n\":\"50\"}",
            "c", "{\"app\":\"db\",\"n\":\"x\"}",
            "d", "{\"app\":\"\"}",
            "e", "{\"example.com/app\":\"web\",\"1.x_Y\":\"Z\"}",
            "f", "{}");

    private final InMemory cluster = new InMemory(options -> options);

    private ApiResponse create(String collection, String body) {
        return cluster.send("POST", collection, body, Map.of("content-type", "application/json"));
    }

    private void createNamespace() {
        assertThat(create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"judged\"}}")
                        .status())
                .isEqualTo(201);
    }

    static List<List<String>> labelSelectors() {
        return JudgedTable.rows("label-selectors");
    }

    @ParameterizedTest
    @MethodSource("labelSelectors")
    void labelSelectorsSelectWhatARealServerSelects(List<String> row) {
        assertSelects("labelSelector", row);
    }

    static List<List<String>> fieldSelectors() {
        return JudgedTable.rows("field-selectors");
    }

    @ParameterizedTest
    @MethodSource("fieldSelectors")
    void fieldSelectorsSelectWhatARealServerSelects(List<String> row) {
        assertSelects("fieldSelector", row);
    }

    private void assertSelects(String parameter, List<String> row) {
        createNamespace();
        LABELS.forEach((name, labels) -> assertThat(create(
                                CORE + "configmaps",
                                "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":" + labels + "}}")
                        .status())
                .isEqualTo(201));
        String selector = URLEncoder.encode(text(row.getFirst()), StandardCharsets.UTF_8);
        ApiResponse response = cluster.send("GET", CORE + "configmaps?" + parameter + "=" + selector, "");
        assertThat(response.status()).isEqualTo(Integer.parseInt(row.get(1)));
        if (response.status() == 200) {
            String names = Json.parse(InMemory.text(response))
                    .path("items")
                    .valueStream()
                    .map(item -> item.at("/metadata/name").asString())
                    .filter(LABELS::containsKey)
                    .collect(Collectors.joining(" "));
            assertThat(names).isEqualTo(row.get(2).strip());
        }
    }

    /** The text that a cell holds as JSON. */
    private static String text(String cell) {
        return Json.parse(cell).asString();
    }

    static List<List<String>> labels() {
        return JudgedTable.rows("labels");
    }

    @ParameterizedTest
    @MethodSource("labels")
    void labelsAreTakenAsByARealServer(List<String> row) {
        createNamespace();
        assertThat(create(
                                CORE + "configmaps",
                                "{\"metadata\":{\"name\":\"probe\",\"labels\":{" + row.getFirst() + ":" + row.get(1)
                                        + "}}}")
                        .status())
                .isEqualTo(Integer.parseInt(row.get(2)));
    }

    static List<List<String>> base64() {
        return JudgedTable.rows("base64");
    }

    @ParameterizedTest
    @MethodSource("base64")
    void base64IsReadAndWrittenAsByARealServer(List<String> row) {
        createNamespace();
        assertAnswered(
                create(CORE + "secrets", "{\"metadata\":{\"name\":\"probe\"},\"data\":{\"a\":" + row.getFirst() + "}}"),
                row.subList(1, 3),
                "/data/a");
    }

    static List<List<String>> times() {
        return JudgedTable.rows("times");
    }

    @ParameterizedTest
    @MethodSource("times")
    void timesAreReadAndWrittenAsByARealServer(List<String> row) {
        createNamespace();
        boolean micro = row.getFirst().equals("micro");
        ApiResponse response = micro
                ? create(
                        "/apis/coordination.k8s.io/v1/namespaces/judged/leases",
                        "{\"metadata\":{\"name\":\"probe\"},\"spec\":{\"renewTime\":" + row.get(1) + "}}")
                : create(
                        CORE + "events",
                        "{\"metadata\":{\"name\":\"probe\"},\"involvedObject\":{\"namespace\":\"judged\"},"
                                + "\"firstTimestamp\":" + row.get(1) + "}");
        assertAnswered(response, row.subList(2, 4), micro ? "/spec/renewTime" : "/firstTimestamp");
    }

    static List<List<String>> quantities() {
        return JudgedTable.rows("quantities");
    }

    @ParameterizedTest
    @MethodSource("quantities")
    void quantitiesAreReadAndWrittenAsByARealServer(List<String> row) {
        createNamespace();
        assertAnswered(
                create(
                        CORE + "limitranges",
                        "{\"metadata\":{\"name\":\"probe\"},\"spec\":{\"limits\":[{\"type\":\"Container\",\"max\":"
                                + "{\"memory\":" + row.getFirst() + "}}]}}"),
                row.subList(1, 3),
                "/spec/limits/0/max/memory");
    }

    private static void assertAnswered(ApiResponse response, List<String> expected, String pointer) {
        String body = InMemory.text(response);
        assertThat(response.status()).as(body).isEqualTo(Integer.parseInt(expected.getFirst()));
        if (response.status() == 201) {
            JsonNode answered = Json.parse(body).at(pointer);
            assertThat(answered.isMissingNode() ? "null" : answered.toString()).isEqualTo(expected.get(1));
        }
    }
}
