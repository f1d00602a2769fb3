package dev.kopf4j.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorSourcesTest {
    @TempDir
    private Path folder;

    @Test
    void passesByClassesWithoutHandlers() throws IOException {
        assertThat(
                        handlers(
                                "class Helper { @Deprecated void help() {} } class Example { @dev.kopf4j.OnCreate(\"pods\") void fn() {} }"))
                .containsExactly("Example");
    }

    @Test
    void countsRepeatedAnnotationsAndStaticMethods() throws IOException {
        assertThat(
                        handlers(
                                "class Example { @dev.kopf4j.OnCreate(\"pods\") @dev.kopf4j.OnCreate(\"jobs\") static void fn() {} }"))
                .containsExactly("Example");
    }

    @Test
    void countsInheritedHandlersForTheConcreteClassOnly() throws IOException {
        assertThat(
                        handlers(
                                "abstract class Base { @dev.kopf4j.OnCreate(\"pods\") void fn() {} } class One extends Base {} class Two extends Base {}"))
                .containsExactly("One", "Two");
    }

    @Test
    void findsHandlersInNestedClasses() throws IOException {
        assertThat(handlers("class Example { static class Pods { @dev.kopf4j.OnCreate(\"pods\") void fn() {} } }"))
                .containsExactly("Example$Pods");
    }

    @Test
    void leavesOutClassesThatAreRegisteredOtherwise() throws IOException {
        assertThat(
                        handlers(
                                "class Example { @dev.kopf4j.ExplicitRegistration static class Inner { @dev.kopf4j.OnCreate(\"pods\") void fn() {} } static class Below extends Inner {} @dev.kopf4j.OnCreate(\"pods\") void fn() {} }"))
                .containsExactly("Example");
    }

    private List<String> handlers(String source) throws IOException {
        Path file = Files.writeString(folder.resolve("Example.java"), source);
        return new OperatorSources(List.of(file), List.of(), List.of())
                .load(new PrintWriter(Writer.nullWriter())).handlers().stream()
                        .<String>map(Class::getName)
                        .toList();
    }

    /** Compiles a class with one handler into a folder. */
    private Path classes(String className, String source) throws IOException {
        Path target = Files.createDirectories(folder.resolve("of-" + className));
        Path file = Files.writeString(folder.resolve(className + ".java"), source);
        int result = javax.tools.ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-proc:none",
                        "-d",
                        target.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        file.toString());
        assertThat(result).isZero();
        return target;
    }

    private Path jar(Path classes) throws IOException {
        Path jar = folder.resolve("classes.jar");
        try (var out = new java.util.jar.JarOutputStream(Files.newOutputStream(jar));
                var files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new java.util.jar.JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private static List<String> load(List<Path> files, String... modules) {
        return new OperatorSources(files, List.of(modules), List.of())
                .load(new PrintWriter(Writer.nullWriter())).handlers().stream()
                        .<String>map(Class::getName)
                        .toList();
    }

    @Test
    @Tag("K02")
    @Tag("L46")
    void sourcesMayUseTheClassesOfJarsAndFoldersWhichComeBehindThem() throws IOException {
        Path folderOfClasses = classes("InFolder", """
                package lib;
                public class InFolder { @dev.kopf4j.OnCreate("pods") void fn() {} public static int two() { return 2; } }
                """);
        Path jar =
                jar(classes("InJar", "package lib.sub; class InJar { @dev.kopf4j.OnCreate(\"jobs\") void fn() {} }"));
        Path one = Files.writeString(folder.resolve("Zero.java"), """
                class Zero { static final int TWO = lib.InFolder.two(); @dev.kopf4j.OnCreate("x") void fn() {} }
                """);
        Path other = Files.writeString(folder.resolve("Other.java"), """
                class Other { @dev.kopf4j.OnCreate("y") void fn() { new Zero(); } }
                """);
        assertThat(load(List.of(jar, one, folderOfClasses, other)))
                .containsExactly("Zero", "Other", "lib.sub.InJar", "lib.InFolder");
    }

    @Test
    @Tag("K02")
    @Tag("L46")
    void jarsAndFoldersAloneAreRunToo() throws IOException {
        Path classes = classes("Alone", "class Alone { @dev.kopf4j.OnCreate(\"jobs\") void fn() {} } class Helper {}");
        assertThat(load(List.of(classes))).containsExactly("Alone");
        assertThat(load(List.of(jar(classes)))).containsExactly("Alone");
    }

    @Test
    @Tag("L47")
    void packagesOfTheClassPathAreFound() {
        assertThat(load(List.of(), OnClassPath.class.getPackageName())).containsExactly(OnClassPath.class.getName());
    }

    @Test
    @Tag("L47")
    void namedClassesComeBehindSourcesAndLeaveTheOthersOfAJar() throws IOException {
        Path source = Files.writeString(
                folder.resolve("Source.java"), "class Source { @dev.kopf4j.OnCreate(\"pods\") void fn() {} }");
        Path jar = jar(classes("InJar", """
                package ops;
                class InJar { @dev.kopf4j.OnCreate("jobs") void fn() {} }
                class Unnamed { @dev.kopf4j.OnCreate("jobs") void fn() {} }
                """));
        assertThat(load(List.of(jar, source), OnClassPath.class.getName(), "ops.InJar"))
                .containsExactly("Source", OnClassPath.class.getName(), "ops.InJar");
    }

    @Test
    @Tag("L47")
    void namesChooseClassesAndPackages() throws IOException {
        Path jar = jar(classes("One", """
                package ops;
                class One {
                    @dev.kopf4j.OnCreate("jobs") void fn() {}
                    public static void main(String[] arguments) { throw new AssertionError("nobody asked for it"); }
                }
                class Two { @dev.kopf4j.OnCreate("pods") void fn() {} }
                """));
        assertThat(load(List.of(jar), "ops.Two")).containsExactly("ops.Two");
        assertThat(load(List.of(jar), "ops")).containsExactly("ops.One", "ops.Two");
        assertThat(load(List.of(), OnClassPath.class.getName())).containsExactly(OnClassPath.class.getName());
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(List.of(jar), "ops.Three"))
                .withMessageContaining("There is no class and no package ops.Three");
    }

    /** Found by its name. */
    static final class OnClassPath {
        @dev.kopf4j.OnCreate("pods")
        void fn() {}
    }
}
