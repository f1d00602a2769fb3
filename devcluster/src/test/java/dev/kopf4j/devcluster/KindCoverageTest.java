package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.KindTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The list of what is tested of each kind is made of the tables: {@code cp devcluster/target/devcluster-coverage.md
 * docs/devcluster-coverage.md}. That of kubectl's own suite is made of what a run has written
 * ({@code kubectl-suite/results.txt}), and of why functions fail ({@code kubectl-suite/failures.txt}); that of the
 * conformance tests likewise ({@code conformance-specs}).
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

    private static final String RESULTS = """

            | function | result |
            |---|---|
            """;
    private static final Path RESOURCES = Path.of("src", "test", "resources");

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
        return page.append(specs()).append(suite()).toString();
    }

    /** A line of results is {@code PASS}, {@code FAIL} or {@code TIME}, and the test. */
    private static String specs() {
        Map<String, String> results = new TreeMap<>();
        lines("conformance-specs/results.tsv").forEach(line -> results.put(behindTab(line), beforeTab(line)));
        Map<String, String> reasons = new TreeMap<>();
        lines("conformance-specs/failures.tsv").forEach(line -> reasons.put(beforeTab(line), behindTab(line)));
        Set<String> failed = new TreeSet<>(results.keySet());
        failed.removeIf(spec -> "PASS".equals(results.get(spec)));
        assertThat(reasons.keySet()).as("why tests fail").isEqualTo(failed);
        StringBuilder text = new StringBuilder("""

                ## Kubernetes' own conformance tests

                Those of Kubernetes 1.33 that may do without a container's own work, on one cluster (`--rbac --workloads --nodes 2 --root-certificate`): **%s of %s** pass.
                A real control plane without kubelets passes 130, and none of the others here:

                | test | why it fails |
                |---|---|
                """.formatted(results.size() - failed.size(), results.size()));
        reasons.forEach((spec, why) -> text.append("| %s | %s |\n".formatted(spec, why)));
        return text.toString();
    }

    /** A line of results is {@code PASS}, {@code FAIL} or {@code TIME}, the function, and how long it took. */
    private static String suite() {
        Map<String, String> results = new TreeMap<>();
        lines("kubectl-suite/results.txt").forEach(line -> results.put(line.split(" ", 3)[1], line.split(" ", 3)[0]));
        Map<String, String> reasons = new TreeMap<>();
        lines("kubectl-suite/failures.txt").forEach(line -> reasons.put(line.split(" ", 2)[0], line.split(" ", 2)[1]));
        Set<String> failed = new TreeSet<>(results.keySet());
        failed.removeIf(function -> "PASS".equals(results.get(function)));
        assertThat(reasons.keySet()).as("why functions fail").isEqualTo(failed);
        StringBuilder text = new StringBuilder("""

                ## Kubernetes' own suite of kubectl

                `test/cmd` of Kubernetes 1.33, all functions in one run, each against a new cluster (`--always-allow --workloads --nodes 0`, as Kubernetes' own run has it): **%s of %s** pass.
                No request of that run was answered by 5xx, and no function ran out of time. The others, and why:

                | function | why it fails |
                |---|---|
                """.formatted(results.size() - failed.size(), results.size()));
        reasons.forEach((function, why) -> text.append("| `%s` | %s |\n".formatted(function, why)));
        text.append(RESULTS);
        results.forEach((function, result) ->
                text.append("| `%s` | %s |\n".formatted(function, result.equals("PASS") ? "passed" : "failed")));
        return text.toString();
    }

    private static String beforeTab(String line) {
        return line.substring(0, line.indexOf('\t'));
    }

    private static String behindTab(String line) {
        return line.substring(line.indexOf('\t') + 1);
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(RESOURCES.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
