package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds that the classes exist that the documents for contributors name. */
class DocumentedClassesTest {
    private static final Path ROOT = Path.of("..");

    /** A class in code marks, perhaps with its package in front; behind it classes and members within it. */
    private static final Pattern CLASS =
            Pattern.compile("`((?:[a-z]\\w*\\.)*[A-Z]\\w*[a-z]\\w*)((?:[.#]\\w+)*)(?:\\(.*?\\))?`");

    /** A class whose name has two words, as the code of descriptions of packages names it. */
    private static final Pattern IN_DESCRIPTION =
            Pattern.compile("\\{@code ([A-Z][a-z]+[A-Z]\\w*)((?:[.#]\\w+)*)(?:\\(.*?\\))?}");

    /** Classes of other libraries. */
    private static final Set<String> OF_OTHERS = Set.of("KubernetesClient");

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

    /** What is named within a class stands in the file of that one: nested classes, and their members. */
    private boolean existsWithin(MatchResult match) {
        String file = "/" + match.group(1).replace('.', '/') + ".java";
        return sources.stream()
                .filter(source -> source.endsWith(file))
                .anyMatch(source ->
                        Stream.of(match.group(2).split("[.#]", -1)).skip(1).allMatch(each -> names(source, each)));
    }

    private static boolean names(String source, String part) {
        String word = Character.isUpperCase(part.charAt(0)) && !part.equals(part.toUpperCase(Locale.ROOT))
                ? "\\b(class|record|enum|interface) " + part + "\\b"
                : "\\b" + part + "\\b";
        return Pattern.compile(word).matcher(text(Path.of(source))).find();
    }

    private static String text(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pattern that looks at half of a name would let the other half go stale. */
    @Test
    void looksAtAllPartsOfAName() {
        assertThat(Stream.of("`json.Json.parse`", "`JsonDiff.Item`", "`Json`").filter(this::isStale))
                .isEmpty();
        assertThat(Stream.of("`json.Json.unheard`", "`JsonDiff.Unheard`", "`JsonDiff.Item.Unheard`", "`jsn.Json`")
                        .filter(this::isStale))
                .hasSize(4);
    }

    private boolean isStale(String name) {
        return CLASS.matcher(name).results().noneMatch(this::existsWithin);
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

    @Test
    void theDescriptionsOfPackagesNameClassesThatExist() {
        List<String> stale = sources.stream()
                .filter(source -> source.endsWith("/package-info.java"))
                .flatMap(source -> IN_DESCRIPTION
                        .matcher(text(Path.of(source)))
                        .results()
                        .filter(name -> !OF_OTHERS.contains(name.group(1)))
                        .filter(name -> !existsWithin(name) && !isNested(source, name.group(1)))
                        .map(name -> source + ": " + name.group()))
                .sorted()
                .toList();
        assertThat(stale).as("classes in package-info.java that do not exist").isEmpty();
    }

    /** Classes of the same package are named without their outer class, too. */
    private boolean isNested(String description, String name) {
        String folder = description.substring(0, description.lastIndexOf('/') + 1);
        return sources.stream().filter(source -> source.startsWith(folder)).anyMatch(source -> names(source, name));
    }

    /** Each promise names the tests that hold it; they exist, and so do the methods that are named. */
    @Test
    void eachGuaranteeNamesTestsThatExist() throws IOException {
        String page = Files.readString(ROOT.resolve("docs").resolve("guarantees.md"));
        List<String> promises = Stream.of(page.split("\n(?=- |## )"))
                .filter(part -> part.startsWith("- "))
                .toList();
        assertThat(promises).hasSizeGreaterThan(15);
        Pattern test = Pattern.compile("`((?:[a-z]\\w*\\.)*[A-Z]\\w*Test)(?:\\.(\\w+))?`");
        assertThat(promises)
                .as("promises with a test")
                .allMatch(part -> test.matcher(part).find());
        List<MatchResult> named = test.matcher(page).results().toList();
        assertThat(named.stream()
                        .filter(match -> !holds(match.group(1), match.group(2)))
                        .map(MatchResult::group))
                .as("tests in docs/guarantees.md that do not exist")
                .isEmpty();
    }

    private boolean holds(String name, String method) {
        String file = "/" + name.replace('.', '/') + ".java";
        return sources.stream()
                .filter(source -> source.endsWith(file))
                .anyMatch(source -> method == null || text(Path.of(source)).contains(" " + method + "("));
    }
}
