package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.ConversionRoundTrips;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of conversion loses nothing on the way to the other version and back. */
class ConversionExampleTest {
    private static final Path EXAMPLE = Path.of("18-conversion");

    @Test
    @Tag("J30")
    void widgetsAreTheSameAfterARoundTrip(@TempDir Path classes) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var sources = files.getJavaFileObjects(EXAMPLE.resolve("Example.java"));
            var options = List.of("-parameters", "-proc:none", "-d", classes.toString());
            assertThat(compiler.getTask(null, files, null, options, null, sources)
                            .call())
                    .isTrue();
        }
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> example = loader.loadClass("Example");
            ConversionRoundTrips.of(
                            Files.readString(EXAMPLE.resolve("crd.yaml")), operator -> operator.handlers(example))
                    .value(
                            "v1",
                            "spec.size",
                            random -> random.nextInt(1, 99) + "x" + random.nextInt(1, 99)
                                    + (random.nextBoolean() ? " cm" : ""))
                    .value("v1", "status.area", random -> String.valueOf(random.nextInt(1, 9_999)))
                    .value("v2", "spec.unit", random -> random.nextBoolean() ? "cm" : null)
                    .check();
        }
    }
}
