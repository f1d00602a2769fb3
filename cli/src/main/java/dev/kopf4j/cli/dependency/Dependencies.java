package dev.kopf4j.cli.dependency;

import java.nio.file.Path;
import java.util.List;

/**
 * The jars that source files need by their lines {@code //DEPS group:artifact:version}, from the repositories that they
 * name by lines {@code //REPOS name=address}, or those of Maven.
 */
public final class Dependencies {
    private Dependencies() {}

    /**
     * Finds the jars, and those that they need themselves. Maven's local repository is asked first; the repositories of
     * Maven's settings only if something is not there.
     *
     * @return no jar, and without a look at any repository, if no file has such a line
     * @throws dev.kopf4j.cli.process.CommandException if a line is malformed, or something is nowhere; the message says
     *     what, and where it was looked for
     */
    public static List<Path> of(List<Path> sources) {
        List<NamedDependency> named = SourceLines.DEPENDENCIES.in(sources);
        return named.isEmpty()
                ? List.of()
                : MavenRepositories.ofUser(SourceLines.REPOSITORIES.in(sources)).resolve(named);
    }
}
