package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.resource.BuiltinResources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each built-in kind requires, fills in, protects and shows the fields that kube-apiserver v1.33 does: one case for
 * each row of {@code kinds/kinds.yaml}, see {@link KindTable}. Rows that are listed under {@code differs} are answered
 * as it says there.
 */
class KindTablesTest {
    @TestFactory
    Stream<DynamicTest> hold() {
        return KindTable.all().stream()
                .map(table -> DynamicTest.dynamicTest(table.title(), () -> {
                    Map<String, String> found = new KindCheck(table).differences();
                    Map<String, String> known = new LinkedHashMap<>();
                    table.differs().forEach((row, answer) -> known.put(row, answer.asString()));
                    assertThat(found)
                            .as(
                                    "%s: if the dev cluster's answers are wanted, the table should say%n%s",
                                    table.title(), differs(found))
                            .containsExactlyInAnyOrderEntriesOf(known);
                }));
    }

    private static String differs(Map<String, String> found) {
        return found.entrySet().stream()
                .map(row -> "  '" + row.getKey().replace("'", "''") + "': '" + row.getValue() + "'")
                .collect(Collectors.joining("\n", "differs:\n", "\n"));
    }

    @Test
    void eachKindThatCanBeCreatedHasATable() {
        assertThat(KindTable.all().stream().map(KindTable::title))
                .containsExactlyInAnyOrderElementsOf(BuiltinResources.all().stream()
                        .filter(resource -> resource.verbs().contains("create"))
                        // A binding is no object: it binds a pod.
                        .filter(resource -> !resource.plural().equals("bindings"))
                        .map(resource -> resource.qualified() + "/" + resource.version())
                        .toList());
    }
}
