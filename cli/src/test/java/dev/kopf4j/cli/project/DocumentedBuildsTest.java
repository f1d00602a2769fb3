package dev.kopf4j.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The builds of docs/dependency.md, which people copy, name what {@link NewProject} writes and what is therefore built
 * and tested.
 */
class DocumentedBuildsTest {
    @TempDir
    private Path folder;

    private String written(ProjectKind kind, String file) throws IOException {
        NewProject.in(folder.resolve(kind.name()), kind, new ProjectNames("greeting-operator", "example.com"))
                .write();
        return Files.readString(folder.resolve(kind.name()).resolve(file));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/dependency.md"));
    }

    @Test
    void thePluginsOfMavenAreThoseOfANewProject() throws IOException {
        String pom = written(ProjectKind.MAVEN, "pom.xml");
        var plugins = Pattern.compile(
                        "<artifactId>(maven-\\S+|logback-classic)</artifactId>\\s+<version>(\\S+)</version>")
                .matcher(page());
        assertThat(plugins.results().toList())
                .hasSize(3)
                .allSatisfy(plugin -> assertThat(pom)
                        .containsPattern("<artifactId>" + plugin.group(1) + "</artifactId>\\s+<version>"
                                + Pattern.quote(plugin.group(2)) + "</version>"));
    }

    @Test
    void theDependenciesOfGradleAreThoseOfANewProject() throws IOException {
        String build = written(ProjectKind.GRADLE, "build.gradle.kts");
        var dependencies = Pattern.compile("(?:runtimeOnly|testImplementation|testRuntimeOnly)\\(\"[^\"]+\"\\)")
                .matcher(page());
        assertThat(dependencies.results().map(each -> each.group()).toList())
                .hasSize(4)
                .allSatisfy(dependency -> assertThat(build).contains(dependency));
        assertThat(build).contains("useJUnitPlatform()");
        assertThat(page()).contains("useJUnitPlatform()");
    }

    @Test
    void theLogIsConfiguredAsInANewProject() throws IOException {
        String configuration = written(ProjectKind.MAVEN, "src/main/resources/logback.xml");
        var root = Pattern.compile("<appender name.*?</root>", Pattern.DOTALL);
        var page = root.matcher(page());
        assertThat(page.find()).isTrue();
        assertThat(configuration).contains(page.group());
    }
}
