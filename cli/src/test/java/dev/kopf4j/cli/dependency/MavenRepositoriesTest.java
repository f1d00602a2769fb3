package dev.kopf4j.cli.dependency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.process.CommandException;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("P06")
class MavenRepositoriesTest {
    @TempDir
    private Path folder;

    private Path local;
    private Path remote;

    @BeforeEach
    void prepare() throws IOException {
        local = folder.resolve("local");
        remote = folder.resolve("remote");
        publish(remote, "one", "1", """
                <dependencies>
                  <dependency><groupId>com.example</groupId><artifactId>two</artifactId><version>2</version></dependency>
                  <dependency><groupId>com.example</groupId><artifactId>tests</artifactId><version>1</version><scope>test</scope></dependency>
                  <dependency><groupId>dev.kopf4j</groupId><artifactId>kopf4j-core</artifactId><version>9</version></dependency>
                </dependencies>
                """);
        publish(remote, "two", "2", "");
    }

    private static void publish(Path repository, String artifact, String version, String content) throws IOException {
        Path target = Files.createDirectories(repository.resolve("com/example/" + artifact + "/" + version));
        Files.writeString(target.resolve(artifact + "-" + version + ".pom"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId><artifactId>%s</artifactId><version>%s</version>
                  %s
                </project>
                """.formatted(artifact, version, content));
        Files.writeString(target.resolve(artifact + "-" + version + ".jar"), "the jar");
    }

    private List<String> resolve(String... coordinates) {
        return resolve(List.of(), "near", remote, coordinates);
    }

    private List<String> resolve(
            List<NamedRepository> repositories, String ofMaven, Path where, String... coordinates) {
        var overrides = ContextOverrides.create()
                .withLocalRepositoryOverride(local)
                .repositories(List.of(new RemoteRepository.Builder(
                                ofMaven, "default", where.toUri().toString())
                        .setPolicy(new RepositoryPolicy(true, null, RepositoryPolicy.CHECKSUM_POLICY_IGNORE))
                        .build()));
        List<NamedDependency> named = List.of(coordinates).stream()
                .map(each -> NamedDependency.parse(each, "Op.java:1"))
                .toList();
        return new MavenRepositories(overrides, repositories)
                .resolve(named).stream()
                        .map(jar -> local.relativize(jar).toString().replace('\\', '/'))
                        .toList();
    }

    @Test
    void jarsComeWithWhatTheyDependOnAndWithoutWhatTheProgramGives() {
        assertThat(resolve("com.example:one:1", "dev.kopf4j:kopf4j-core:9"))
                .containsExactly("com/example/one/1/one-1.jar", "com/example/two/2/two-2.jar");
    }

    @Test
    void whatIsInTheLocalRepositoryNeedsNoOther() throws IOException {
        resolve("com.example:one:1");
        Files.move(remote, folder.resolve("gone"));

        assertThat(resolve("com.example:one:1")).hasSize(2);
    }

    @Test
    void billsOfMaterialsHaveVersions() throws IOException {
        publish(remote, "bom", "7", """
                <dependencyManagement><dependencies>
                  <dependency><groupId>com.example</groupId><artifactId>two</artifactId><version>2</version></dependency>
                </dependencies></dependencyManagement>
                """);

        assertThat(resolve("com.example:two", "com.example:bom:7@pom")).containsExactly("com/example/two/2/two-2.jar");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> resolve("com.example:one", "com.example:bom:7@pom"))
                .withMessageStartingWith("Op.java:1: com.example:one has no version");
    }

    @Test
    void sourceFilesNameTheRepositoriesThatAreAskedInsteadOfTheCentralOne() {
        Path nowhere = folder.resolve("nowhere");
        var acme = new NamedRepository("acme", remote.toUri().toString());
        assertThat(resolve(List.of(acme), NamedRepository.CENTRAL, nowhere, "com.example:one:1"))
                .hasSize(2);
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> resolve(List.of(acme), NamedRepository.CENTRAL, remote, "com.example:nothing:1"))
                .withMessageContaining("acme (")
                .withMessageNotContaining("central (");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> resolve(
                        List.of(acme, new NamedRepository(NamedRepository.CENTRAL, "")),
                        NamedRepository.CENTRAL,
                        remote,
                        "com.example:nothing:1"))
                .withMessageContaining("central (");
    }

    /** Such as that of a user without a home: names and versions are right. */
    @Test
    void aLocalRepositoryThatCannotBeWrittenIsNamedWithTheWayOut() throws IOException {
        Files.createFile(local);
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> resolve("com.example:two:2"))
                .withMessageContainingAll(
                        "the local repository " + local + " cannot be written: ", "-Dmaven.repo.local=FOLDER")
                .satisfies(e -> assertThat(e).message().doesNotContain("Check names and versions"));
    }

    @Test
    void whatIsNowhereIsNamedWithWhatWasTried() {
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> resolve("com.example:two:2", "com.example:nothing:1"))
                .withMessageContainingAll(
                        "Could not find artifact com.example:nothing:jar:1",
                        "Op.java:1 (com.example:nothing:1)",
                        "the local repository " + local,
                        "near (" + remote.toUri(),
                        "settings.xml");
    }
}
