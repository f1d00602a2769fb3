package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/find-jdk} on folders that look like JDKs. */
@DisabledOnOs(OS.WINDOWS)
class FindJdkTest {
    private static final Path SCRIPT =
            Path.of("..", "bin", "find-jdk").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private record Result(int exitCode, String out, String err) {}

    @Test
    void takesJavaHomeIfItFits() throws Exception {
        Path jdk = jdk("my jdk", "26.0.1");

        assertThat(find(Map.of("JAVA_HOME", jdk.toString()))).isEqualTo(new Result(0, jdk + "\n", ""));
    }

    @Test
    void passesByAJavaHomeThatIsTooOld() throws Exception {
        Path old = jdk("jdk-17", "17.0.15");
        Path fitting = jdk("jdk-25", "25");

        assertThat(find(Map.of("JAVA_HOME", old.toString())).out()).isEqualTo(fitting + "\n");
    }

    @Test
    void prefersTheLowestVersionThatFits() throws Exception {
        jdk("a-27", "27-ea");
        Path lowest = jdk("b-25", "25.0.3");
        jdk("c-26", "26");
        jdk("d-21", "21.0.9");

        assertThat(find(Map.of()).out()).isEqualTo(lowest + "\n");
    }

    @Test
    void passesByAJreWithoutCompiler() throws Exception {
        Files.delete(jdk("jre-25", "25").resolve("bin/javac"));

        assertThat(find(Map.of()).exitCode()).isEqualTo(3);
    }

    @Test
    void takesTheJavaOnThePathThroughLinks() throws Exception {
        Path jdk = jdk("elsewhere/jdk-25", "25.0.1");
        Path path = Files.createDirectory(folder.resolve("path"));
        Files.createSymbolicLink(path.resolve("java"), jdk.resolve("bin/java"));

        assertThat(find(Map.of("PATH", path + ":/usr/bin:/bin")).out()).isEqualTo(jdk.toRealPath() + "\n");
    }

    @Test
    @Tag("L15")
    void saysWhatWasFoundAndWhatToInstallIfNothingFits() throws Exception {
        Path old = jdk("jdk-21", "21.0.9");

        Result result = find(Map.of("JAVA_HOME", "/no/such/jdk"));
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("needs a JDK of version 25")
                .contains("JAVA_HOME=/no/such/jdk is no JDK")
                .contains(old + " is version 21")
                .contains("apt-get install openjdk-25-jdk");
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        for (String program : new String[] {"java", "javac"}) {
            Path file = Files.writeString(home.resolve("bin").resolve(program), "#!/bin/sh\nexit 1\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Result find(Map<String, String> environment) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("/bin/sh", SCRIPT.toString());
        builder.environment().clear();
        builder.environment().put("PATH", "/nowhere");
        builder.environment().put("KOPF4J_JDK_FOLDERS", folder + "/*");
        builder.environment().putAll(environment);
        Path err = folder.resolve("err");
        var process = builder.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), out, Files.readString(err));
    }
}
