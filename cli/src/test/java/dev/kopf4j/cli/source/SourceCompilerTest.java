package dev.kopf4j.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.cli.library.ClassFolders;
import dev.kopf4j.cli.library.ProgramLibraries;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceCompilerTest {
    private final StringWriter diagnostics = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void namesTheImportThatSettlesANameOfTwoPackages() throws IOException {
        Path operator = source("Operator.java", """
                import dev.kopf4j.*;
                import io.fabric8.kubernetes.api.model.*;

                class Operator {
                    void create(Status status, Patch patch, Pod pod) {}
                }
                """);

        assertThatThrownBy(() -> compile(operator)).isInstanceOf(CompilationException.class);
        assertThat(diagnostics.toString())
                .contains("Operator.java:5:")
                .contains("add `import dev.kopf4j.Status;` to use that of kopf4j.\n")
                .contains("add `import dev.kopf4j.Patch;` to use that of kopf4j.\n")
                .doesNotContain("import dev.kopf4j.Pod");
    }

    @Test
    @Tag("P02")
    void saysWhereLibrariesComeFromIfAnImportIsMissing() throws IOException {
        Path operator = source("Operator.java", "import com.example.nothing.*;\nclass Operator {}\n");

        assertThatThrownBy(() -> compile(operator)).isInstanceOf(CompilationException.class);
        assertThat(diagnostics.toString()).contains("--classpath", "//DEPS group:artifact:version");
    }

    @Test
    void saysWhatToImport() throws IOException {
        Path operator = source("Operator.java", """
                class Operator {
                    @OnCreate("configmaps")
                    void create(Patch patch, Duration time, Unheard unheard) {}
                }
                """);

        assertThatThrownBy(() -> compile(operator)).isInstanceOf(CompilationException.class);
        assertThat(diagnostics.toString())
                .contains("The class OnCreate is not imported: add `import dev.kopf4j.OnCreate;`.\n")
                .contains("add `import dev.kopf4j.Patch;` or `import io.fabric8.kubernetes.api.model.Patch;`.\n")
                .contains("add `import java.time.Duration;` or `import io.fabric8.kubernetes.api.model.Duration;`.\n")
                .doesNotContain("The class Unheard");
    }

    @Test
    void givesNoHintsForOtherErrors() throws IOException {
        Path operator = source("Operator.java", "import dev.kopf4j.*; class Operator { Status status = new Patch(); }");

        assertThatThrownBy(() -> compile(operator)).isInstanceOf(CompilationException.class);
        assertThat(diagnostics.toString()).contains("Operator.java:1:").doesNotContain("add `import", "//DEPS");
    }

    @Test
    void keepsTheNamesOfParameters() throws Exception {
        var compiled = compile(source("Example.java", "class Example { void create(String name) {} }"));

        var method = compiled.topLevelClasses().getFirst().getDeclaredMethod("create", String.class);
        assertThat(method.getParameters()[0].getName()).isEqualTo("name");
    }

    @Test
    @Tag("L46")
    void listsTopLevelClassesInTheOrderOfTheSources() throws IOException {
        var compiled = compile(
                source("Second.java", "class Second { record Nested(int size) {} Object o = new Object() {}; }"),
                source("First.java", "class First { Second other; } class Beside {}"));

        assertThat(compiled.topLevelClasses())
                .extracting(Class::getSimpleName)
                .containsExactly("Second", "First", "Beside");
    }

    @Test
    @Tag("L46")
    void compilesFilesOfSeveralPackagesTogether() throws Exception {
        var compiled = compile(
                source(
                        "Operator.java",
                        "package app; public class Operator { public int size() { return new lib.Helper().size(); } }"),
                source("Helper.java", "package lib; public class Helper { public int size() { return 3; } }"));

        assertThat(diagnostics.toString()).isEmpty();
        var operator = compiled.topLevelClasses().getFirst();
        assertThat(operator.getMethod("size").invoke(operator.getConstructor().newInstance()))
                .isEqualTo(3);
    }

    @Test
    void acceptsAPublicClassInAFileOfAnotherName() throws IOException {
        var compiled = compile(source("example.java", "public class Ephemeral {}"));

        assertThat(compiled.topLevelClasses()).extracting(Class::getName).containsExactly("Ephemeral");
    }

    @Test
    void givesTheClassFilesToWhoeverReadsThem() throws IOException {
        var compiled = compile(source("Example.java", "package app; class Example {}"));

        try (var file = compiled.topLevelClasses().getFirst().getResourceAsStream("Example.class")) {
            assertThat(file).isNotNull();
            assertThat(ClassFile.of().parse(file.readAllBytes()).thisClass().asInternalName())
                    .isEqualTo("app/Example");
        }
    }

    @Test
    void understandsTheNewestLanguageLevel() throws IOException {
        var source = source(
                "Example.java",
                "class Example { int size(Object o) { return switch (o) { case String s when s.isEmpty() -> 0; default -> 1; }; } }");

        assertThat(compile(source).topLevelClasses()).hasSize(1);
    }

    @ParameterizedTest
    @Tag("L46")
    @ValueSource(strings = {"", "package app;", "package other;"})
    void severalFilesOfAPackageAreNothingToWarnOf(String declaration) throws IOException {
        var compiled = compile(
                source("A.java", declaration + "class A {}"),
                source("B.java", declaration + "class B {}"),
                source("package-info.java", "/** Both. */ package app;"));

        assertThat(compiled.topLevelClasses()).extracting(Class::getSimpleName).contains("A", "B");
        assertThat(diagnostics.toString()).isEmpty();
    }

    @Test
    @Tag("L46")
    void showsErrorsAsJavacDoes() throws IOException {
        var source = source("Broken.java", "class Broken {\n    int size = \"three\";\n}\n");

        assertThatThrownBy(() -> compile(source))
                .isInstanceOf(CompilationException.class)
                .hasMessageContaining("do not compile");
        assertThat(diagnostics.toString())
                .contains(source + ":2: error: incompatible types")
                .contains("    int size = \"three\";")
                .contains("1 error");
    }

    /** An interrupt closes the jar that is being read, and later compilations find their libraries all the same. */
    @Test
    void compilesAfterACompilationThatWasInterrupted() throws IOException {
        Path operator = source("Operator.java", """
                class Operator {
                    io.fabric8.kubernetes.api.model.Pod pod;
                }
                """);
        compile(operator);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> compile(operator)).isNotNull();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(compile(operator).topLevelClasses()).hasSize(1);
    }

    private CompiledSources compile(Path... sources) {
        return new SourceCompiler(ProgramLibraries.ofThisProgram(), new ClassFolders(List.of()))
                .compile(List.of(sources), diagnostics, SourceCompiler.class.getClassLoader());
    }

    private Path source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
