package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of the program, and what they bring. */
class LibrariesTest {
    private static final Path LIBRARIES = Kopf4j.ROOT.resolve("cli/target/test-libraries");

    private static final String OWN_VERSIONS = "{\"one\":1} by jackson-databind-2.19.0.jar and guava-33.4.8-jre.jar";

    @TempDir
    private Path folder;

    private Path operator(String firstLines) {
        return TextFile.write(folder.resolve("Operator1.java"), firstLines + """
            import com.fasterxml.jackson.databind.ObjectMapper;
            import com.google.common.collect.ImmutableMap;
            import dev.kopf4j.OnStartup;
            import org.slf4j.Logger;

            class Operator1 {
                @OnStartup
                void start(Logger logger) throws Exception {
                    String json = new ObjectMapper().writeValueAsString(ImmutableMap.of("one", 1));
                    logger.info("{} by {} and {}", json, jar(ObjectMapper.class), jar(ImmutableMap.class));
                }

                private static String jar(Class<?> type) {
                    String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
                    return path.substring(path.lastIndexOf('/') + 1);
                }
            }
            """);
    }

    @Test
    @Tag("P05")
    void librariesOfTheProgramAreNotThoseOfOperators() {
        try (RunningProgram program =
                Kopf4j.start("run", "--devcluster", operator("").toString())) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isEqualTo(4);
            assertThat(program.errors())
                    .contains("Operator1.java:1: error: package com.fasterxml.jackson.databind does not exist")
                    .contains("package com.google.common.collect does not exist")
                    .contains("//DEPS group:artifact:version");
        }
    }

    @Test
    @Tag("P05")
    void operatorsUseTheirOwnVersionsOfThem() {
        try (RunningProgram program = Kopf4j.start(
                "run",
                "--devcluster",
                "-A",
                "--classpath",
                LIBRARIES.toString(),
                operator("").toString())) {
            program.awaitLog(OWN_VERSIONS, Kopf4j.PATIENCE);
            program.awaitLog("The operator is ready", Kopf4j.PATIENCE);
        }
    }

    @Test
    @Tag("P06")
    void dependenciesOfTheFileComeFromTheLocalRepository() throws IOException {
        Path repository = folder.resolve("repository");
        install(repository, "com/fasterxml/jackson/core", "jackson-core", "2.19.0");
        install(repository, "com/fasterxml/jackson/core", "jackson-databind", "2.19.0");
        install(repository, "com/google/guava", "guava", "33.4.8-jre");
        Path operator = operator("""
                //DEPS com.fasterxml.jackson.core:jackson-databind:2.19.0, com.fasterxml.jackson.core:jackson-core:2.19.0
                //DEPS com.google.guava:guava:33.4.8-jre
                """);

        try (RunningProgram program = Kopf4j.start(
                Map.of("KOPF4J_JAVA_OPTS", "-Dmaven.repo.local=" + repository),
                "run",
                "--devcluster",
                "-A",
                operator.toString())) {
            program.awaitLog(OWN_VERSIONS, Kopf4j.PATIENCE);
        }
    }

    private static void install(Path repository, String group, String artifact, String version) throws IOException {
        Path target = Files.createDirectories(
                repository.resolve(group).resolve(artifact).resolve(version));
        String name = artifact + "-" + version;
        Files.copy(LIBRARIES.resolve(name + ".jar"), target.resolve(name + ".jar"));
        TextFile.write(target.resolve(name + ".pom"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
                </project>
                """.formatted(group.replace('/', '.'), artifact, version));
    }
}
