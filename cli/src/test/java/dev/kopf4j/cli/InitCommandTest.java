package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kopf4j init}: which files it writes, and when it writes none. That they build, {@code NewProjectTest} of e2e
 * shows.
 */
class InitCommandTest {
    @TempDir
    private Path folder;

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private CommandRun init(String... arguments) {
        String[] all = Stream.concat(
                        Stream.of("init", "--folder", folder.resolve("new").toString()), Stream.of(arguments))
                .toArray(String[]::new);
        return CommandRun.of(all);
    }

    @Test
    @Tag("P53")
    void aMavenProjectHasAllThatIsNeeded() throws IOException {
        CommandRun run = init("home-page-operator", "--group", "example.org");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(files())
                .containsExactly(
                        "new/.github/workflows/build.yaml",
                        "new/.gitignore",
                        "new/Dockerfile",
                        "new/README.md",
                        "new/deploy/crds.yaml",
                        "new/deploy/deployment.yaml",
                        "new/deploy/kustomization.yaml",
                        "new/deploy/namespace.yaml",
                        "new/deploy/rbac.yaml",
                        "new/example.yaml",
                        "new/pom.xml",
                        "new/src/main/java/org/example/homepages/HomePage.java",
                        "new/src/main/java/org/example/homepages/HomePageOperator.java",
                        "new/src/main/resources/logback.xml",
                        "new/src/test/java/org/example/homepages/HomePageOperatorTest.java");
        assertThat(run.out()).contains("./mvnw install -Dpublished\nNext: cd ", "mvn verify");
        assertThat(folder.resolve("new/Dockerfile"))
                .content()
                .contains("\"-Xss8m\", \"-XX:MaxRAMPercentage=50\", \"-XX:+ExitOnOutOfMemoryError\"")
                .doesNotContain("-Xmx");
        assertThat(folder.resolve("new/src/main/resources/logback.xml"))
                .content()
                .contains("<root level=\"INFO\">");
        for (String file : files()) {
            assertThat(folder.resolve(file)).content().doesNotContain("{{").doesNotContain("${project.version}");
        }
        assertThat(folder.resolve("new/pom.xml"))
                .content()
                .contains("<groupId>org.example</groupId>", "kopf4j-bom", "<version>${kopf4j.version}</version>")
                .containsPattern("<kopf4j.version>\\d")
                .as("`kopf4j run` accepts handlers with a KubernetesClient, and so does the project")
                .containsPattern("<artifactId>kopf4j-fabric8</artifactId>\\s*</dependency>");
        assertThat(folder.resolve("new/example.yaml"))
                .content()
                .contains("apiVersion: example.org/v1", "kind: HomePage");
    }

    @Test
    @Tag("P55")
    void theManifestsAreThoseOfTheCommandThatMakesThemAnew() throws IOException {
        assertThat(init("home-page-operator").exitCode()).isEqualTo(ExitCode.OK);
        Path sources = folder.resolve("new/src/main/java");
        Path anew = folder.resolve("anew");
        String[] command = {
            "manifests", "--name", "home-page-operator", "--kustomize", anew.toString(), sources.toString()
        };
        assertThat(CommandRun.of(command).exitCode()).isEqualTo(ExitCode.OK);
        for (String file :
                List.of("crds.yaml", "namespace.yaml", "rbac.yaml", "deployment.yaml", "kustomization.yaml")) {
            assertThat(folder.resolve("new/deploy").resolve(file)).hasSameTextualContentAs(anew.resolve(file));
        }
        assertThat(folder.resolve("new/README.md"))
                .content()
                .contains("--name home-page-operator --kustomize deploy src/main/java");
    }

    @Test
    @Tag("P53")
    void theProjectUsesThePluginsOfThisBuildWhichAFilledRepositoryHas() throws IOException {
        assertThat(init("greeting").exitCode()).isEqualTo(ExitCode.OK);
        Pattern plugin =
                Pattern.compile("<artifactId>(maven-\\w+-plugin)</artifactId>\\s*<version>([\\w.]+)</version>");
        List<String> used = plugin.matcher(Files.readString(folder.resolve("new/pom.xml")))
                .results()
                .map(found -> found.group(1) + " " + found.group(2))
                .toList();
        assertThat(plugin.matcher(Files.readString(Path.of("..", "pom.xml")))
                        .results()
                        .map(found -> found.group(1) + " " + found.group(2)))
                .containsAll(used);
        assertThat(used)
                .extracting(each -> each.replaceFirst(" .*", ""))
                .contains(
                        "maven-resources-plugin", "maven-compiler-plugin", "maven-surefire-plugin", "maven-jar-plugin");
    }

    @Test
    @Tag("P53")
    void aGradleProjectHasTheSameSources() throws IOException {
        assertThat(init("greeting", "--gradle").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(files())
                .contains(
                        "new/build.gradle.kts",
                        "new/settings.gradle.kts",
                        "new/src/main/java/com/example/greetings/GreetingOperator.java")
                .doesNotContain("new/pom.xml");
    }

    @Test
    @Tag("P53")
    void aFolderThatIsNotEmptyIsLeftAlone() throws IOException {
        Files.createDirectories(folder.resolve("new"));
        Files.writeString(folder.resolve("new/notes.txt"), "mine");
        CommandRun run = init("greeting");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("is not empty: nothing was written");
        assertThat(files()).containsExactly("new/notes.txt");
    }

    @Test
    @Tag("P53")
    void aFileThatExistsIsNotOverwritten() throws IOException {
        assertThat(init("greeting", "--file").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(files())
                .as("a test that nothing runs is not among them")
                .containsExactly("new/GreetingOperator.java", "new/example.yaml");
        Files.writeString(folder.resolve("new/GreetingOperator.java"), "mine");
        CommandRun run = init("greeting", "--file");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("GreetingOperator.java exists already: nothing was written");
        assertThat(folder.resolve("new/GreetingOperator.java")).hasContent("mine");
    }

    @Test
    @Tag("P53")
    void aFolderThatCannotBeMadeIsToldAndNothingIsLeft() throws IOException {
        Files.writeString(folder.resolve("new"), "a file");
        CommandRun run = init("greeting", "--file");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("Writing the project failed");
        assertThat(files()).containsExactly("new");
    }

    @ParameterizedTest
    @Tag("P53")
    @ValueSource(strings = {"Greeting", "1st", "a_b", "-x", "../out", "a--b"})
    void namesMustFitFoldersPackagesAndResources(String name) {
        assertThat(init("--", name).exitCode()).isEqualTo(ExitCode.USAGE);
    }

    /** Words of the templates, and those of which a package could not be made. */
    static Stream<String> usedKinds() throws IOException {
        Path templates = Path.of("src/main/templates/dev/kopf4j/cli/project");
        List<String> words = new ArrayList<>(List.of("config-map", "object", "record", "tested-operator", "throw"));
        try (Stream<Path> all = Files.list(templates)) {
            for (Path each :
                    all.filter(file -> file.toString().endsWith(".java")).toList()) {
                String code = Files.readString(each)
                        .replaceAll("(?m)^import .*$", "")
                        .replaceAll("(?s)/\\*.*?\\*/|\"\"\".*?\"\"\"", "")
                        .replaceAll("\"[^\"]*\"", "")
                        .replaceAll("\\{\\{\\w+}}\\w*", "");
                Pattern.compile("\\b[A-Z]\\w*")
                        .matcher(code)
                        .results()
                        .forEach(word -> words.add(
                                word.group().replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT)));
            }
        }
        return words.stream().distinct();
    }

    @ParameterizedTest
    @Tag("P53")
    @MethodSource("usedKinds")
    void kindsThatTheSourcesUseThemselvesAreRefused(String name) throws IOException {
        CommandRun run = init(name);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("give another name, such as my-" + name);
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @ParameterizedTest
    @Tag("P53")
    @ValueSource(strings = {"example", "Example.com", "example.int", "a..b"})
    void groupsMustBeDomains(String group) {
        CommandRun run = init("greeting", "--group", group);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("The group is a domain of small letters and digits, as example.com; not: " + group);
    }
}
