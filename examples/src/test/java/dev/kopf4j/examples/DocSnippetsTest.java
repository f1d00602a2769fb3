package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compiles every Java snippet of the documentation, with the imports that any file would have. Snippets that declare no
 * class are lines of a test that uses the dev cluster.
 */
class DocSnippetsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public |final )*class (\\w+)");
    private static final String IMPORTS = """
            import dev.kopf4j.*;
            import io.fabric8.kubernetes.api.model.*;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import java.time.Duration;
            import java.time.Instant;
            import java.util.Map;
            import java.util.List;
            import org.slf4j.Logger;
            """;

    private static final String LINES = """
            import dev.kopf4j.devcluster.*;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.time.Duration;

            class Lines {
                void lines() throws Exception {
            CODE
                }
            }
            """;

    record Snippet(Path page, int number, String code) {
        @Override
        public String toString() {
            return page.getFileName() + " #" + number;
        }
    }

    static Stream<Snippet> snippets() throws IOException {
        List<Path> pages = new ArrayList<>();
        pages.add(ROOT.resolve("README.md"));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages) {
            Matcher matcher = SNIPPET.matcher(Files.readString(page));
            for (int number = 1; matcher.find(); number++) {
                snippets.add(new Snippet(page, number, matcher.group(1)));
            }
        }
        assertThat(snippets).as("snippets in %s", pages).hasSizeGreaterThan(4);
        return snippets.stream();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet, @TempDir Path folder) throws IOException {
        String code = CLASS.matcher(snippet.code()).find() ? snippet.code() : LINES.replace("CODE", snippet.code());
        Matcher name = CLASS.matcher(code);
        assertThat(name.find()).as("%s declares a class", snippet).isTrue();
        String imports = code.startsWith("import ") ? "" : IMPORTS;
        // The views of the framework are meant, wherever a model has the same name.
        String views = "import dev.kopf4j.Status;\nimport dev.kopf4j.Patch;\n";
        Path source = folder.resolve(name.group(1) + ".java");
        Files.writeString(source, (imports.isEmpty() ? "" : imports + views) + code);
        var messages = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-parameters", "-proc:none", "-d", folder.toString());
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as("%s: %s", snippet, messages).isTrue();
        }
    }
}
