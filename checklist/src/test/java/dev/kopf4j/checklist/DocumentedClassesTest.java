package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds that the classes exist that the documents for contributors name. */
class DocumentedClassesTest {
    private static final Path ROOT = Path.of("..");

    /** A class in code marks, perhaps with its package in front, a class within it and a member behind it. */
    private static final Pattern CLASS = Pattern.compile(
            "`((?:[a-z]\\w*\\.)*[A-Z]\\w*[a-z]\\w*)(?:\\.([A-Z]\\w*[a-z]\\w*))?(?:[.#][\\w#.]+(?:\\(.*?\\))?)?`");

    private static final Pattern STATION = Pattern.compile("(\\d+)\\. `((?:[a-z]\\w*\\.)+[A-Z]\\w+)`: .+");

    private final Set<String> sources;

    DocumentedClassesTest() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            sources = files.map(Path::toString)
                    .filter(name -> name.endsWith(".java") && name.contains("/src/") && !name.contains("/target/"))
                    .collect(Collectors.toSet());
        }
        assertThat(sources).hasSizeGreaterThan(500);
    }

    private boolean exists(String name) {
        String file = "/" + name.replace('.', '/') + ".java";
        return sources.stream().anyMatch(source -> source.endsWith(file));
    }

    /** A class that is named with its outer class stands in the file of that one. */
    private boolean existsWithin(MatchResult match) {
        String inner = match.group(2);
        String file = "/" + match.group(1).replace('.', '/') + ".java";
        return sources.stream()
                .filter(source -> source.endsWith(file))
                .anyMatch(source -> inner == null || declares(source, inner));
    }

    private static boolean declares(String source, String inner) {
        try {
            return Pattern.compile("\\b(class|record|enum|interface) " + inner + "\\b")
                    .matcher(Files.readString(Path.of(source)))
                    .find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theGlossaryNamesClassesThatExist() throws IOException {
        List<MatchResult> named = Files.readAllLines(ROOT.resolve("docs").resolve("glossary.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(line.lastIndexOf(" | ")))
                .flatMap(where -> CLASS.matcher(where).results())
                .toList();
        assertThat(named).hasSizeGreaterThan(100);
        assertThat(named.stream().filter(name -> !existsWithin(name)).map(MatchResult::group))
                .as("classes in docs/glossary.md that do not exist")
                .isEmpty();
    }

    /** A newcomer follows an event from the socket to the handler and back. */
    @Test
    void theWayOfAnEventHasAtMost25StationsAndTheirClassesExist() throws IOException {
        List<MatchResult> stations = Files.readAllLines(ROOT.resolve("ARCHITECTURE.md")).stream()
                .dropWhile(line -> !line.equals("## An event's way"))
                .takeWhile(line -> !line.equals("## Elsewhere"))
                .flatMap(line -> STATION.matcher(line).results())
                .toList();
        assertThat(stations).hasSizeBetween(15, 25);
        assertThat(stations.stream().map(station -> station.group(2)).filter(name -> !exists(name)))
                .as("stations in ARCHITECTURE.md whose classes do not exist")
                .isEmpty();
    }
}
