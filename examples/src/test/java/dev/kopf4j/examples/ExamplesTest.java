package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiles each example on its own, as the command line does: several have classes of the same name. */
@Tag("L70")
class ExamplesTest {
    private static final Path FOLDER = Path.of("").toAbsolutePath();

    static Stream<Path> examples() throws IOException {
        return files(FOLDER, "[0-9][0-9]-*").stream();
    }

    @Test
    void findsTheExamples() throws IOException {
        assertThat(examples().map(Path::getFileName).map(Path::toString))
                .contains(
                        "00-tutorial",
                        "01-minimal",
                        "04-k8s-events",
                        "05-handlers",
                        "06-peering",
                        "08-events",
                        "14-daemons",
                        "15-timers",
                        "16-indexing");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void compiles(Path example, @TempDir Path classes) throws IOException {
        List<Path> sources = files(example, "*.java");
        assertThat(sources).isNotEmpty();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-parameters",
                    "-Xlint:all,-processing,-classfile",
                    "-Werror",
                    "-proc:none",
                    "-d",
                    classes.toString());
            boolean compiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as("compiling %s: %s", sources, messages).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void saysHowToRunIt(Path example) throws IOException {
        Path source = files(example, "*.java").getFirst();
        assertThat(example.resolve("README.md"))
                .content()
                .contains("./kopf4j run --devcluster " + FOLDER.getParent().relativize(source));
    }

    @ParameterizedTest
    @MethodSource("examples")
    @Tag("L20")
    void hasTheOneDefinitionOfKopfExample(Path example) throws IOException {
        Path first = FOLDER.resolve("01-minimal");
        for (String name : List.of("crd.yaml", "obj.yaml")) {
            Path copy = example.resolve(name);
            if (Files.exists(copy) && Files.readString(copy).contains("KopfExample")) {
                assertThat(copy).hasSameTextualContentAs(first.resolve(name));
            }
        }
    }

    @Test
    @Tag("L19")
    void hasTheShippedTypesOfPeering() {
        for (String file : List.of("peering-types.yaml", "peering.yaml")) {
            assertThat(FOLDER.resolve("06-peering").resolve(file))
                    .hasSameTextualContentAs(FOLDER.resolveSibling("deploy").resolve(file));
        }
    }

    private static List<Path> files(Path folder, String pattern) throws IOException {
        PathMatcher matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern);
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> matcher.matches(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
