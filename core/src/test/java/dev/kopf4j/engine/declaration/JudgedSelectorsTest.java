package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.checklist.JudgedTable;
import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Label filters mean what a real API server takes them for: it has answered the table. */
class JudgedSelectorsTest {
    private static final Map<String, Map<String, String>> LABELS = new TreeMap<>(Map.of(
            "a", Map.of("app", "web", "tier", "front", "n", "5"),
            "b", Map.of("app", "web", "tier", "back", "n", "50"),
            "c", Map.of("app", "db", "n", "x"),
            "d", Map.of("app", ""),
            "e", Map.of("example.com/app", "web", "1.x_Y", "Z"),
            "f", Map.of()));

    static List<List<String>> selectors() {
        return JudgedTable.rows("label-selectors");
    }

    private static String text(String cell) {
        JsonNode text = Json.parse(cell.getBytes(StandardCharsets.UTF_8));
        return text.asString();
    }

    @ParameterizedTest
    @MethodSource("selectors")
    void filtersMatchWhatARealServerSelects(List<String> row) {
        String selector = text(row.getFirst());
        if (selector.contains("<") || selector.contains(">")) {
            // Comparisons of numbers are none of the filters' operators, nor of Kopf's.
            assertThatExceptionOfType(HandlerDeclarationException.class)
                    .isThrownBy(() -> MetadataFilter.parseSelector(selector));
        } else if (row.get(1).equals("200")) {
            List<MetadataFilter> filters = MetadataFilter.parseSelector(selector);
            assertThat(LABELS.entrySet().stream()
                            .filter(each -> filters.stream()
                                    .allMatch(filter -> filter.matches(each.getValue(), () -> {
                                        throw new AssertionError("no code is asked");
                                    })))
                            .map(Map.Entry::getKey)
                            .collect(Collectors.joining(" ")))
                    .isEqualTo(row.get(2).strip());
        } else {
            assertThatExceptionOfType(HandlerDeclarationException.class)
                    .isThrownBy(() -> MetadataFilter.parseSelector(selector));
        }
    }
}
