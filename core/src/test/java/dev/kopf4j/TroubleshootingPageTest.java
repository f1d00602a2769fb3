package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each code of a message has its section in the documentation, and each section its message. */
class TroubleshootingPageTest {
    private static final Path HERE = Path.of("").toAbsolutePath();
    private static final Pattern IN_CODE = Pattern.compile("\"(K4-\\d{3}): ");
    private static final Pattern IN_PAGE = Pattern.compile("(?m)^### (K4-\\d{3}): ");

    @Test
    void codesAndSectionsAreTheSame() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (String module : Set.of("core", "cli", "types", "testing", "devcluster")) {
            try (Stream<Path> files = Files.walk(HERE.resolveSibling(module).resolve("src/main"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    codes.addAll(found(IN_CODE, file));
                }
            }
        }
        Set<String> sections = found(IN_PAGE, HERE.resolveSibling("docs/troubleshooting.md"));
        assertThat(sections).hasSizeGreaterThan(20).isEqualTo(codes);
    }

    private static Set<String> found(Pattern pattern, Path file) throws IOException {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(Files.readString(file));
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
