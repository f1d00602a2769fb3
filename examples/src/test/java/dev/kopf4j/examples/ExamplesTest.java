package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.RunArguments;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.testing.environment.DevEnvironment;
import dev.kopf4j.testing.environment.Manifests;
import dev.kopf4j.testing.environment.RunningOperator;
import dev.kopf4j.testing.environment.TestEnvironment;
import dev.kopf4j.testing.recording.LogLine;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for each example: it compiles and runs on its own, as by the command line, and its README says how. */
@Tag("L70")
class ExamplesTest {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** One for all, as it reads the libraries only once. */
    private static final StandardJavaFileManager LIBRARIES = COMPILER.getStandardFileManager(null, null, null);

    private static final Path FOLDER = Path.of("").toAbsolutePath();

    static Stream<Path> examples() throws IOException {
        return files(FOLDER, "[0-9][0-9]-*").stream();
    }

    /** Those of Kopf, and the tutorial of its documentation. */
    @Test
    void thereIsACounterpartOfEachOfKopf() throws IOException {
        assertThat(examples().map(Path::getFileName).map(Path::toString))
                .contains(
                        "00-tutorial",
                        "01-minimal",
                        "02-children",
                        "03-exceptions",
                        "04-k8s-events",
                        "05-handlers",
                        "06-peering",
                        "07-subhandlers",
                        "08-events",
                        "09-testing",
                        "10-builtins",
                        "11-filtering-handlers",
                        "12-embedded",
                        "13-hooks",
                        "14-daemons",
                        "15-timers",
                        "16-indexing",
                        "17-admission",
                        "99-all-at-once");
    }

    @Test
    void theGuidedTourShowsEach() throws IOException {
        String tour = Files.readString(FOLDER.resolve("README.md"));
        for (Path example : examples().toList()) {
            String name = example.getFileName().toString();
            assertThat(tour).contains("[" + name + "](" + name + ")");
        }
    }

    /** A pattern that is not anchored is searched for, and protects from nothing; readers copy it. */
    @Test
    void patternsMatchWholeTexts() throws IOException {
        for (Path example : examples().toList()) {
            for (Path file : files(example, "*.java")) {
                assertThat(Pattern.compile("\\bpattern = \"([^\"]*)\"")
                                .matcher(Files.readString(file))
                                .results()
                                .map(each -> each.group(1)))
                        .as("%s", file)
                        .allMatch(each -> each.startsWith("^") && each.endsWith("$"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void compilesWithoutWarnings(Path example, @TempDir Path classes) throws IOException {
        List<Path> sources = files(example, "*.java");
        assertThat(sources).isNotEmpty();
        var messages = new StringWriter();
        List<String> options = List.of(
                "-parameters", "-Xlint:all,-processing,-classfile", "-Werror", "-proc:none", "-d", classes.toString());
        boolean compiled = COMPILER.getTask(
                        messages, LIBRARIES, null, options, null, LIBRARIES.getJavaFileObjectsFromPaths(sources))
                .call();
        assertThat(compiled).as("compiling %s: %s", sources, messages).isTrue();
    }

    /** As by {@code kopf4j run}, until nothing is left to do, and until it is stopped. */
    @ParameterizedTest
    @MethodSource("examples")
    void runsAsItIs(Path example) throws IOException {
        String source = files(example, "*.java").getFirst().toString();
        TestEnvironment environment = new DevEnvironment(Options.defaults().growingClaims(true), Optional.empty());
        try {
            RunArguments arguments = RunArguments.parse("--all-namespaces", source);
            if (!arguments.definitions().isEmpty()) {
                environment.cluster().apply(arguments.definitions());
            }
            environment.cluster().apply(Manifests.ofFolder(example));
            var operator = new RunningOperator(environment, arguments::operator, Duration.ofSeconds(20));
            operator.restart();
            operator.awaitIdle();
            operator.close();
            assertThat(operator.exitCode()).isZero();
            assertThat(operator.logs()).noneMatch(LogLine::isFrameworkError);
        } finally {
            environment.close();
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
