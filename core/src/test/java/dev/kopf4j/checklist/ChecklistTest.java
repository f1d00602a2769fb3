package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;

/** Holds that no promise of handling stands there without a test that shows it. */
class ChecklistTest {
    private static final List<String> HANDLING = List.of(
            "A01-A17", "B01-B22", "C01-C40", "D01-D32", "L01-L03", "L05-L12", "L14", "L16", "L17", "L26-L31", "L58-L62",
            "L65-L68", "F01-F11", "L32-L35");

    private static final Set<String> TAGS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests()).importPackages("dev.kopf4j").stream()
                    .flatMap(ChecklistTest::tags)
                    .collect(Collectors.toSet());

    private static Stream<String> tags(JavaClass type) {
        Stream<HasAnnotations<?>> annotated = Stream.concat(Stream.of(type), type.getMethods().stream());
        return annotated.flatMap(ChecklistTest::tags);
    }

    private static Stream<String> tags(HasAnnotations<?> annotated) {
        Stream<Tag> one = annotated.tryGetAnnotationOfType(Tag.class).stream();
        Stream<Tag> several =
                annotated.tryGetAnnotationOfType(Tags.class).stream().flatMap(all -> Arrays.stream(all.value()));
        return Stream.concat(one, several).map(Tag::value);
    }

    private static Stream<String> rows(String range) {
        String letter = range.substring(0, 1);
        int first = Integer.parseInt(range.substring(1, 3));
        int last = range.contains("-") ? Integer.parseInt(range.substring(5)) : first;
        return IntStream.rangeClosed(first, last).mapToObj(number -> letter + String.format("%02d", number));
    }

    @Test
    void everyTagOfARowIsARow() {
        Set<String> known =
                Checklist.load().rows().stream().map(Checklist.Row::id).collect(Collectors.toSet());
        assertThat(known).hasSize(301);
        assertThat(TAGS.stream().filter(tag -> tag.matches("[A-L]\\d\\d"))).isSubsetOf(known);
    }

    /** Who adds a row or the first test of one makes the table anew; that is not asked for each test. */
    @Test
    void theTableNamesTestsOfEveryPromise() throws IOException {
        List<String> table = Files.readAllLines(Path.of("..", "docs", "checklist.md"));
        assertThat(HANDLING.stream().flatMap(ChecklistTest::rows))
                .allSatisfy(row -> assertThat(table)
                        .as("docs/checklist.md; how to make it anew is said in it")
                        .anyMatch(line -> line.startsWith("| " + row + " |") && line.endsWith("| passed |")));
    }

    @Test
    void everyPromiseOfHandlingHasATest() {
        List<String> promises = HANDLING.stream().flatMap(ChecklistTest::rows).toList();
        assertThat(promises).hasSizeGreaterThan(100);
        assertThat(promises.stream().filter(row -> !TAGS.contains(row)))
                .as("rows without a test that carries their tag")
                .isEmpty();
    }
}
