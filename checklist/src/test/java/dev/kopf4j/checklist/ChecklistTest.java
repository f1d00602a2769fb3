package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds that no promise that is said to be kept stands there without a test that shows it. */
class ChecklistTest {
    /** What is built. The other rows are still to come, or wait for the first test of theirs. */
    private static final List<String> KEPT = List.of(
            "A01-A26", "B01-B23", "C01-C40", "D01-D32", "E01-E16", "F01-F11", "G01-G16", "H01-H10", "I01-I12",
            "K01-K08", "K10-K20", "L01-L12", "L14-L35", "L40-L48", "L50-L69");

    private static final Path ROOT = Path.of("..");
    private final Set<String> tagged;

    ChecklistTest() throws IOException {
        tagged = TaggedTests.find(ROOT).rows();
    }

    private static Stream<String> rows(String range) {
        String letter = range.substring(0, 1);
        int first = Integer.parseInt(range.substring(1, 3));
        int last = range.contains("-") ? Integer.parseInt(range.substring(5)) : first;
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> letter + String.format(Locale.ROOT, "%02d", number));
    }

    @Test
    void everyTagOfARowIsARow() {
        List<String> rows =
                Checklist.load().rows().stream().map(Checklist.Row::id).toList();
        assertThat(rows).hasSizeGreaterThan(360).doesNotHaveDuplicates();
        Set<String> known = Set.copyOf(rows);
        assertThat(tagged).isSubsetOf(known);
    }

    /** Make the table anew when you add a row, or the first test of one; it may lag behind otherwise. */
    @Test
    void theTableNamesTestsOfEveryPromise() throws IOException {
        Set<String> shown = Files.readAllLines(ROOT.resolve("checklist").resolve("checklist.md")).stream()
                .filter(line -> line.endsWith("| passed |") || line.contains("| n/a: "))
                .map(line -> line.substring(2, 5))
                .collect(Collectors.toSet());
        assertThat(KEPT.stream().flatMap(ChecklistTest::rows).filter(row -> !shown.contains(row)))
                .as("rows without a test in checklist/checklist.md; its head says how to make it anew")
                .isEmpty();
    }

    @Test
    void everyPromiseHasATest() {
        Set<String> notApplicable = Checklist.load().rows().stream()
                .filter(row -> row.notApplicable() != null)
                .map(Checklist.Row::id)
                .collect(Collectors.toSet());
        List<String> promises = KEPT.stream().flatMap(ChecklistTest::rows).toList();
        assertThat(promises).hasSizeGreaterThan(200);
        assertThat(promises.stream().filter(row -> !tagged.contains(row) && !notApplicable.contains(row)))
                .as("rows without a test that carries their tag")
                .isEmpty();
    }

    @Test
    void rowsOfWhichSomethingIsMissingHaveNotPassed() {
        Checklist rows = Checklist.parse("""
                X01\tis shown in part\topen: the rest
                X02\tfails
                X03\tis kept
                X04\tis not shown
                X05\tis of no use\tthere are no coroutines
                """);
        Map<String, SortedMap<String, Boolean>> results = Map.of(
                "X01", new TreeMap<>(Map.of("ATest.a", true)),
                "X02", new TreeMap<>(Map.of("ATest.a", false)),
                "X03", new TreeMap<>(Map.of("ATest.a", true)));
        assertThat(rows.table(results).lines())
                .contains(
                        "| X01 | is shown in part | `ATest.a` | open: the rest |",
                        "| X02 | fails | `ATest.a` | **failed** |",
                        "| X03 | is kept | `ATest.a` | passed |",
                        "| X04 | is not shown |  | no test yet |",
                        "| X05 | is of no use |  | n/a: there are no coroutines |");
    }

    @Test
    void whatWasNotRunIsMissing() throws IOException {
        TaggedTests sources = TaggedTests.find(ROOT);
        Map<String, SortedMap<String, Boolean>> results = new TreeMap<>();
        assertThat(sources.missing(results)).contains("TutorialTest", "CauseDetectorTest");
        results.put("L69", new TreeMap<>(Map.of("TutorialTest.anyOfIts", true)));
        assertThat(sources.missing(results)).contains("CauseDetectorTest").doesNotContain("TutorialTest");
    }

    /**
     * JUnit takes the first one that it finds: one in a module would hide the one here, and its tests would not count.
     */
    @Test
    void noModuleHasPropertiesOfJUnitOfItsOwn() throws IOException {
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, Files::isDirectory)) {
            assertThat(modules)
                    .noneMatch(module -> Files.exists(module.resolve("src/test/resources/junit-platform.properties")));
        }
    }

    @Test
    void classesTestsAndRowsAreFoundFromEachOther() throws Exception {
        assertThat(lookUp("TaggedTests")).contains("ChecklistTest.java");
        assertThat(lookUp("RetryPolicyTest"))
                .contains("Tests {@link RetryPolicy}", "C28\tPermanentError", "/call/RetryPolicy.java");
        assertThat(lookUp("C28")).contains("C28\tPermanentError", "/RetryPolicyTest.java");
        assertThat(lookUp("Unheard")).contains("there is no class, test or row 'Unheard'");
    }

    private static String lookUp(String name) throws Exception {
        Process process = new ProcessBuilder("../checklist/tests", name)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
