package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kopf4j.cmd}, by its text, as there is no Windows here. */
class WindowsLauncherTest {
    private static final Pattern VARIABLE = Pattern.compile("%\\w+%");
    private static final Pattern GOTO = Pattern.compile("goto (:\\w+)");
    private static final Pattern SEARCHED = Pattern.compile("/c:\"([^\"]*)\"");

    private final List<String> lines;

    WindowsLauncherTest() throws IOException {
        lines = Files.readAllLines(Path.of("src/main/dist/bin/kopf4j.cmd"));
    }

    /** The shell puts in the value first, and then reads the block: a parenthesis in a path would end it. */
    @Test
    void noPathStandsInABlockUnlessItIsQuoted() {
        List<String> inBlocks = new ArrayList<>();
        boolean inBlock = false;
        for (String line : lines) {
            String plain = line.replaceAll("\"[^\"]*\"", "");
            if (inBlock && VARIABLE.matcher(plain).find()) {
                inBlocks.add(line);
            }
            inBlock = line.endsWith(" (") || (inBlock && !line.strip().startsWith(")"));
        }
        assertThat(inBlocks).isEmpty();
    }

    @Test
    void eachLabelThatIsGoneToIsThere() {
        List<String> targets = lines.stream()
                .flatMap(line -> GOTO.matcher(line).results().map(found -> found.group(1)))
                .toList();
        assertThat(targets).hasSize(3);
        assertThat(lines).containsAll(targets);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "KOPF4J_JAVA_OPTS=-XX:+UseG1GC           | true",
                "JAVA_TOOL_OPTIONS=-XX:+UseZGC -Xmx64m   | true",
                "JDK_JAVA_OPTIONS=\"-XX:+UseParallelGC\" | true",
                "KOPF4J_JAVA_OPTS=-XX:+UseGCOverheadLimit | false",
                "JAVA_TOOL_OPTIONS=-Xmx64m               | false",
            })
    void anotherCollectorTakesThePlaceOfItsOwn(String variable, boolean other) {
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("set | findstr"))
                        .flatMap(line -> SEARCHED.matcher(line).results())
                        .anyMatch(found -> Pattern.compile(found.group(1).replace("+", "\\+"))
                                .matcher(variable)
                                .find()))
                .isEqualTo(other);
    }
}
