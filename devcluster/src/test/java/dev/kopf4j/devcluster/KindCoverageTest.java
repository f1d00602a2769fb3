package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.KindTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The list of what is tested of each kind is made of the tables: {@code cp devcluster/target/devcluster-coverage.md
 * docs/devcluster-coverage.md}.
 */
class KindCoverageTest {
    private static final String HEAD = """
            # What is tested of each built-in kind

            [The dev cluster](devcluster.md) treats built-in kinds as kube-apiserver does. This list counts the cases that show it, for each kind;
            all were checked against kube-apiserver v1.33. It is made by the build (`KindCoverageTest`), not to be edited; recorded traces and the tables of rules, which show more, are not counted.

            | column | what is counted |
            |---|---|
            | defaults | fields that the server fills in, or makes up |
            | validation | fields without which an object is refused, and values that are refused, each with the fields and reasons of the causes |
            | immutability | changes that an update refuses or drops |
            | status | what creations, updates and updates of the status do with the status and with other fields; whether there is a scale; when `generation` rises |
            | table | columns that `kubectl get` shows |
            | different | cases that the dev cluster answers otherwise, listed below |

            | kind | defaults | validation | immutability | status | table | different |
            |---|---|---|---|---|---|---|
            """;
    private static final String DIFFERENCES = """

            ## Known differences

            How the dev cluster answers, where a real server does not. `201` means that it takes what a real server refuses.

            | kind | case | answer here |
            |---|---|---|
            """;

    @Test
    void documentationIsThatOfTheTables() throws IOException {
        String page = page();
        Path target = Files.writeString(Path.of("target", "devcluster-coverage.md"), page);
        assertThat(Path.of("..", "docs", "devcluster-coverage.md"))
                .as("cp devcluster/%s docs/devcluster-coverage.md", target)
                .content()
                .isEqualTo(page);
    }

    private static String page() {
        List<KindTable> tables = KindTable.all().stream()
                .sorted(Comparator.comparing(KindTable::title))
                .toList();
        StringBuilder page = new StringBuilder(HEAD);
        int[] sums = new int[6];
        for (KindTable table : tables) {
            int[] counts = counts(table);
            Arrays.setAll(sums, index -> sums[index] + counts[index]);
            page.append(line("`" + table.title() + "`", counts));
        }
        page.append(line("**" + tables.size() + " kinds**", sums)).append(DIFFERENCES);
        for (KindTable table : tables) {
            table.differs()
                    .forEach((row, answer) -> page.append("| `%s` | `%s` | `%s` |\n"
                            .formatted(table.title(), row.replace("|", "\\|"), answer.asString())));
        }
        return page.toString();
    }

    private static String line(String name, int[] counts) {
        StringBuilder line = new StringBuilder("| " + name + " |");
        Arrays.stream(counts).forEach(count -> line.append(' ').append(count).append(" |"));
        return line.append('\n').toString();
    }

    private static int[] counts(KindTable table) {
        // Whether there is a scale, and whether there is a status.
        int life = table.stored() ? table.generation().size() + 2 : 0;
        long status = table.status()
                .propertyStream()
                .filter(field -> !List.of("path", "value").contains(field.getKey()))
                .count();
        return new int[] {
            table.defaulted().size() + table.generated().size(),
            table.required().size() + table.invalid().size(),
            table.immutable().size(),
            life + (int) status,
            table.columns().size(),
            table.differs().size()
        };
    }
}
