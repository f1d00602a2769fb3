package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    private List<String> handlers(String source) throws IOException {
        Path file = Files.writeString(folder.resolve("Example.java"), source);
        return OperatorSources.compile(List.of(file), new PrintWriter(Writer.nullWriter())).stream()
                .<String>map(Class::getName)
                .toList();
    }
}
