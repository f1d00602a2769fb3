package dev.kopf4j.cli.dependency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.process.CommandException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P06")
class SourceLinesTest {
    private static List<NamedDependency> parse(String text) {
        return SourceLines.DEPENDENCIES.parse("Op.java", text);
    }

    @Test
    void aLineNamesOneOrSeveral() {
        assertThat(parse("""
                        ///usr/bin/env kopf4j run "$0"; exit $?
                        //DEPS com.example:one:1.0
                        //DEPS com.example:two:2.0-jre, com.example:three:3 // for the parser
                        class Op {
                            //DEPS is no dependency here
                        }
                        """))
                .containsExactly(
                        new NamedDependency("com.example", "one", "1.0", "", "jar", "Op.java:2"),
                        new NamedDependency("com.example", "two", "2.0-jre", "", "jar", "Op.java:3"),
                        new NamedDependency("com.example", "three", "3", "", "jar", "Op.java:3"));
    }

    @Test
    void repositoriesHaveNamesOrAddressesOrBoth() {
        assertThat(SourceLines.REPOSITORIES.parse("Op.java", """
                        //REPOS mavencentral,acme=https://maven.example.com/releases // ours
                        //REPOS https://example.org/maven
                        //REPOS google
                        """))
                .containsExactly(
                        new NamedRepository("central", ""),
                        new NamedRepository("acme", "https://maven.example.com/releases"),
                        new NamedRepository("example.org", "https://example.org/maven"),
                        new NamedRepository("google", "https://maven.google.com/"));
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> SourceLines.REPOSITORIES.parse("Op.java", "//REPOS acme"))
                .withMessageStartingWith("Op.java:1: acme is no repository: write //REPOS name=address");
    }

    @Test
    void classifiersAndTypesMayFollow() {
        assertThat(parse("//DEPS g:a:1:linux-x86_64\n//DEPS g:bom:1@pom\n//DEPS g:b"))
                .containsExactly(
                        new NamedDependency("g", "a", "1", "linux-x86_64", "jar", "Op.java:1"),
                        new NamedDependency("g", "bom", "1", "", "pom", "Op.java:2"),
                        new NamedDependency("g", "b", "", "", "jar", "Op.java:3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"guava", "a:b:c:d:e", "a::1", "a:b:1@"})
    void whatIsNoDependencyIsRefusedWithItsLine(String text) {
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> parse("\n//DEPS " + text))
                .withMessageStartingWith(
                        "Op.java:2: " + text + " is no dependency: write //DEPS group:artifact:version");
    }
}
