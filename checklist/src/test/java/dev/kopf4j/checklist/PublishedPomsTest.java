package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What repositories ask of POMs, and users of a bill of materials. */
@Tag("P09")
class PublishedPomsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");

    private static String pom(String module) {
        try {
            return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Stream<String> published() {
        return MODULE.matcher(pom("."))
                .results()
                .map((MatchResult module) -> module.group(1))
                .filter(module -> !pom(module).contains("<maven.deploy.skip>true</maven.deploy.skip>"));
    }

    @Test
    void modulesHaveANameAndADescriptionOfTheirOwn() {
        assertThat(published()).contains("core", "spring-boot-starter", "bom").doesNotContain("e2e", "examples");
        assertThat(published())
                .allSatisfy(module -> assertThat(pom(module)).contains("<name>kopf4j ", "<description>"));
    }

    @Test
    void theParentGivesLicenceDevelopersAndScm() {
        assertThat(pom("."))
                .contains("<licenses>", "<developers>", "<scm ", "<url>https://")
                .contains("<project.build.outputTimestamp>");
    }

    @Test
    void theBillOfMaterialsListsAllModules() {
        List<String> artifacts = published()
                .filter(module -> !module.equals("bom"))
                .map(module -> "<artifactId>kopf4j-" + module + "</artifactId>")
                .toList();
        assertThat(pom("bom")).contains(artifacts);
    }

    /** What the parent manages beside them would be mixed with what Spring Boot manages, as in two parts of Jackson. */
    @Test
    void theBillOfMaterialsListsNothingElse() {
        assertThat(pom("bom")).contains("<flatten.managed>interpolate</flatten.managed>");
        assertThat(pom("bom").replaceFirst("(?s)</dependencyManagement>.*", ""))
                .doesNotContainPattern("<groupId>(?!dev\\.kopf4j<)");
    }

    @Test
    void anApplicationOfSpringBootNeedsTheStarterAlone() {
        String version = pom(".").replaceFirst("(?s).*<spring-boot.version>([^<]+)<.*", "$1");
        assertThat(pom("release/projects/spring-boot"))
                .contains("<artifactId>spring-boot-starter-parent</artifactId>\n    <version>" + version + "</version>")
                .containsOnlyOnce("<groupId>org.springframework.boot</groupId>");
    }
}
