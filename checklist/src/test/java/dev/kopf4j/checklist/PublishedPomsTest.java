package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What repositories ask of POMs, and users of a bill of materials. */
@Tag("P09")
class PublishedPomsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");

    private static final Pattern EXPORTED = Pattern.compile("exports ([\\w.]+);");
    private static final Pattern COMPARED = Pattern.compile("<include>(dev\\.kopf4j[\\w.$]*)</include>");
    private static final Pattern RECORDED = Pattern.compile("import dev\\.kopf4j\\.testing\\.recording\\.(\\w+);");
    /** Packages of the kit, which is no Java module, that are none of its API; of `recording` what the API returns. */
    private static final Set<String> INNER =
            Set.of("dev.kopf4j.testing.environment", "dev.kopf4j.testing.extension", "dev.kopf4j.testing.recording");

    private static String pom(String module) {
        return text(ROOT.resolve(module).resolve("pom.xml"));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
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

    /** Others could be broken unnoticed. */
    @Test
    void theWholeApiIsComparedWithThatOfEarlierVersionsAndTold() {
        Set<String> compared = COMPARED.matcher(pom("."))
                .results()
                .map((MatchResult each) -> each.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> packages = published().flatMap(PublishedPomsTest::packages).collect(Collectors.toSet());
        assertThat(packages).hasSizeGreaterThan(15).contains("dev.kopf4j.spring", "dev.kopf4j.types");
        assertThat(compared.stream().filter(each -> each.equals(each.toLowerCase(Locale.ROOT))))
                .containsExactlyInAnyOrderElementsOf(packages);
        assertThat(compared).containsAll(returnedRecordings());
        String page = text(ROOT.resolve("docs/compatibility.md"));
        assertThat(packages).allSatisfy(each -> assertThat(page).contains("`" + each + "`"));
    }

    private static Stream<String> packages(String module) {
        Path sources = ROOT.resolve(module).resolve("src/main/java");
        Path descriptor = sources.resolve("module-info.java");
        if (Files.exists(descriptor)) {
            return EXPORTED.matcher(text(descriptor)).results().map((MatchResult each) -> each.group(1));
        }
        return files(sources)
                .filter(file -> text(file).contains("\npublic "))
                .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                .distinct()
                .filter(each -> !INNER.contains(each));
    }

    private static Stream<Path> files(Path folder) {
        if (!Files.exists(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(each -> each.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Set<String> returnedRecordings() {
        Path kit = ROOT.resolve("testing/src/main/java/dev/kopf4j/testing");
        Set<String> returned = Stream.of("TestedOperator", "assertion/OperatorAssert", "assertion/CallsAssert")
                .flatMap(type ->
                        RECORDED.matcher(text(kit.resolve(type + ".java"))).results())
                .map((MatchResult each) -> "dev.kopf4j.testing.recording." + each.group(1))
                .collect(Collectors.toSet());
        assertThat(returned).isNotEmpty();
        return returned;
    }

    @Test
    void anApplicationOfSpringBootNeedsTheStarterAlone() {
        String version = pom(".").replaceFirst("(?s).*<spring-boot.version>([^<]+)<.*", "$1");
        assertThat(pom("release/projects/spring-boot"))
                .contains("<artifactId>spring-boot-starter-parent</artifactId>\n    <version>" + version + "</version>")
                .containsOnlyOnce("<groupId>org.springframework.boot</groupId>");
    }
}
