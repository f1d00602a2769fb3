package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the tests of the page about testing. */
class DocumentedTestsTest {
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern CLASS = Pattern.compile("(?m)^class (\\w+Test)");

    record Snippet(String name, String code) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Snippet> snippets() throws IOException {
        List<Snippet> found = SNIPPET.matcher(Files.readString(Path.of("..", "docs", "testing.md")))
                .results()
                .map(DocumentedTestsTest::snippet)
                .toList();
        assertThat(found).hasSize(6);
        return found.stream();
    }

    private static Snippet snippet(MatchResult match) {
        return new Snippet(
                CLASS.matcher(match.group(1))
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1),
                match.group(1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("snippets")
    void passes(Snippet snippet, @TempDir Path folder) throws IOException, ClassNotFoundException {
        Path source = Files.writeString(folder.resolve(snippet.name() + ".java"), snippet.code());
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-parameters", "-proc:none", "-d", folder.toString());
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as("%s", messages).isTrue();
        }
        URI place = folder.toUri();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {place.toURL()}, getClass().getClassLoader())) {
            assertThat(FailingTests.report(loader.loadClass(snippet.name()))).isEmpty();
        }
    }
}
