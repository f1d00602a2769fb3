package dev.kopf4j.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.source.OperatorSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link StagedImage}: where the files of an operator lie in its image, and how `run` finds them there. */
@Tag("P61")
class StagedImageTest {
    @TempDir
    private Path folder;

    private List<String> staged(String name, OperatorSources sources) throws IOException {
        return new StagedImage(folder.resolve(name)).addOperator(sources.files(new PrintWriter(Writer.nullWriter())));
    }

    private Path sources() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources/example"));
        Files.writeString(sources.resolve("Example.java"), """
                package example;

                import dev.kopf4j.*;

                class Example {
                    record Size(int size) {}

                    @OnCreate("kopfexamples")
                    void create(Size spec) {}
                }
                """);
        Files.writeString(sources.resolve("template.yaml"), "a: b");
        return folder.resolve("sources");
    }

    @Test
    void sourcesBecomeAJarWithTheirResources() throws IOException {
        List<String> arguments = staged("image", new OperatorSources(List.of(sources()), List.of(), List.of()));
        assertThat(arguments).containsExactly("/app/operator.jar");
        try (JarFile jar = new JarFile(folder.resolve("image/app/operator.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .containsExactly("example/Example$Size.class", "example/Example.class", "example/template.yaml");
        }
    }

    @Test
    void whatIsNoResourceOrSecretStaysOutOfTheImage() throws IOException {
        Path sources = sources();
        for (String name : List.of(
                ".env",
                ".git/config",
                "example/.hidden",
                "target/classes/a.txt",
                "build/a.txt",
                "kubeconfig",
                "prod.kubeconfig",
                "tls.key",
                "keys.p12")) {
            Path file = sources.resolve(name);
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, "x");
        }
        Files.writeString(sources.resolve("id"), "-----BEGIN OPENSSH PRIVATE KEY-----\n");
        Files.writeString(sources.resolve("cluster.yaml"), "apiVersion: v1\nkind: Config\nusers: []\n");
        Files.writeString(sources.resolve("crd.yaml"), "kind: ConfigMap\n");
        staged("image", new OperatorSources(List.of(sources), List.of(), List.of()));
        try (JarFile jar = new JarFile(folder.resolve("image/app/operator.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> !name.endsWith(".class")))
                    .containsExactly("crd.yaml", "example/template.yaml");
        }
        assertThat(ResourceFiles.of(List.of(sources)).words())
                .containsExactly(
                        "2 resources are packed.",
                        "Left out, as hidden, built or secret: .env, .git/, build/, cluster.yaml, example/.hidden, id,"
                                + " keys.p12, kubeconfig, prod.kubeconfig, target/, and 1 more");
    }

    /** As Maven and Gradle pack it, and `run` finds it. */
    @Test
    void aFolderOfResourcesIsPackedWithTemplatesAndFoldersOfAnyName() throws IOException {
        Path sources = folder.resolve("src/main/java");
        Files.createDirectories(sources.resolveSibling(""));
        Files.move(sources(), sources);
        for (String name : List.of(
                "templates/Made.java", "target/a.txt", "example/build/b.txt", "example/template.yaml", ".env")) {
            Path file = sources.resolveSibling("resources").resolve(name);
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, "of resources");
        }
        OperatorSources operator = new OperatorSources(List.of(sources), List.of(), List.of());
        staged("image", operator);
        try (JarFile jar = new JarFile(folder.resolve("image/app/operator.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> !name.endsWith(".class")))
                    .containsExactly(
                            "example/build/b.txt", "example/template.yaml", "target/a.txt", "templates/Made.java");
            // Both folders have it, and that of the sources is the first on the class path of `run`.
            assertThat(jar.getInputStream(jar.getEntry("example/template.yaml")).readAllBytes())
                    .asString()
                    .isEqualTo("a: b");
        }
    }

    @ParameterizedTest
    @CsvSource({"given,", "library, com.example.Operator"})
    void anExecutableJarIsRefusedAsByRun(String place, @Nullable String name) throws IOException {
        Path boot = jar("boot.jar", "BOOT-INF/classes/shop/Shop.class");
        OperatorSources operator = place.equals("given")
                ? new OperatorSources(List.of(boot), List.of(), List.of())
                : new OperatorSources(List.of(), List.of(name), List.of(boot));
        assertThatThrownBy(() -> staged("image", operator))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith(boot + " is an executable jar of Spring Boot, of which only itself can load");
    }

    private Path jar(String name, String... entries) throws IOException {
        Path file = folder.resolve(name);
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                jar.putNextEntry(new ZipEntry(entry));
            }
        }
        return file;
    }

    @Test
    void theSameSourcesMakeTheSameJar() throws IOException {
        staged("one", new OperatorSources(List.of(sources()), List.of(), List.of()));
        Files.setLastModifiedTime(folder.resolve("sources/example/template.yaml"), FileTime.fromMillis(0));
        staged("two", new OperatorSources(List.of(folder.resolve("sources")), List.of(), List.of()));
        assertThat(folder.resolve("two/app/operator.jar"))
                .hasSameBinaryContentAs(folder.resolve("one/app/operator.jar"));
    }

    @Test
    void jarsAndLibrariesAndNamesAreFoundInTheImage() throws IOException {
        Path given = jar("mine.jar");
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        jar("libraries/a.jar");
        jar("libraries/b.jar");
        List<String> arguments = staged(
                "image", new OperatorSources(List.of(given), List.of("com.example.Operator"), List.of(libraries)));
        assertThat(arguments)
                .containsExactly(
                        "/app/given/0-mine.jar",
                        "--classpath",
                        "/app/lib/0-a.jar:/app/lib/1-b.jar",
                        "-m",
                        "com.example.Operator");
        assertThat(folder.resolve("image/app/lib/1-b.jar")).isRegularFile();
    }

    @Test
    void allFilesGetTheTimeThatTheyHaveInTheImage() throws IOException {
        StagedImage image = new StagedImage(folder.resolve("image"));
        image.addProgram(Files.createDirectories(folder.resolve("none")));
        Path jar = Files.writeString(image.at(StagedImage.PROGRAM + "/a.jar"), "");
        image.settle();
        assertThat(Files.getLastModifiedTime(jar)).isEqualTo(FileTime.fromMillis(1000));
    }
}
