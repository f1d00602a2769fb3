package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each chapter of Kopf's documentation has a counterpart that exists, or a reason why there is none. */
@Tag("L72")
class KopfChaptersTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path PAGE = DOCS.resolve("coming-from-kopf.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+?) \\| (.+) \\|$");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]*)(#[^)]+)?\\)");

    /** The second column of the table, by the first one. */
    private static Map<String, String> counterparts() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("\n## Chapters\n");
        String section = page.substring(begin, page.indexOf("\n## ", begin + 1));
        Map<String, String> rows = new LinkedHashMap<>();
        ROW.matcher(section).results().skip(1).forEach(row -> rows.put(row.group(1), row.group(2)));
        return rows;
    }

    @Test
    void eachChapterHasACounterpartOrAReason() throws IOException {
        Map<String, String> counterparts = counterparts();
        List<String> chapters = Files.readAllLines(Path.of("src", "test", "resources", "kopf-chapters.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(counterparts.keySet()).containsExactlyElementsOf(chapters);
        counterparts.forEach((chapter, here) -> assertThat(LINK.matcher(here).find() || here.matches("none: .{10,}"))
                .as("%s: %s", chapter, here)
                .isTrue());
    }

    @Test
    void whatIsLinkedToExists() throws IOException {
        for (Map.Entry<String, String> row : counterparts().entrySet()) {
            for (MatchResult link : LINK.matcher(row.getValue()).results().toList()) {
                if (!link.group(1).startsWith("https:")) {
                    assertExists(row.getKey(), link);
                }
            }
        }
    }

    private static void assertExists(String chapter, MatchResult link) throws IOException {
        Path page = link.group(1).isEmpty() ? PAGE : DOCS.resolve(link.group(1));
        assertThat(page).as(chapter).isRegularFile();
        if (link.group(2) != null) {
            assertThat(anchors(page)).as("%s: %s", chapter, page).contains(link.group(2));
        }
    }

    /** The anchors of the headings, as GitHub makes them. */
    private static List<String> anchors(Path page) throws IOException {
        try (Stream<String> lines = Files.lines(page)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                    .map(heading -> "#" + heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                    .toList();
        }
    }
}
